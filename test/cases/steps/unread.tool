D.

@title Unread
@name unread
@step a runs
    echo "x
@step b runs [wait-for=a]
    echo {a}
