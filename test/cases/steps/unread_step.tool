A step with a mistake of its own is no mistake of others.

@title Retry
@name unread_step
@step first runs
    echo one
@step later runs [retry=3 dely=1 s; x]
    echo two
@step last runs [wait-for=later]
    echo {later}
