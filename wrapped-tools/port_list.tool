List the network ports that programs on this machine listen on, with address and number.

@title Listening Ports
@name port_list
@wrapped run_command
@command ss --no-header --listening --numeric --tcp {udp}
@param udp {boolean} [flag="--udp"] UDP as well as TCP
@tags read system
@keywords network socket listen server
@requires ss
@platforms linux
@example {}

@test runs
    with {}
    expect exit-code 0
