Steps whose order cannot be.

@title Order
@name order
@param url {url} [required] Where
@step clone runs [wait-for=build]
    git clone -- {url} repo
@step build runs [wait-for=clonne]
    make
@step clone runs
    make clean
@step url runs
    make url
