List the network ports that programs on this machine listen on, with address, number and process id.

@title Listening Ports
@name port_list
@param udp {boolean} UDP as well as TCP
@step(windows) printed runs
    netstat -a -n -o
@step chosen code
    // The words for the states are in the language of Windows; what listens has no address on the other side.
    const rows = steps.printed.output.split("\n").map((line) => line.trim().split(/\s+/));
    const isListening = ([protocol, , other]) =>
        (protocol === "TCP" && /^(?:0\.0\.0\.0|\[::\]):0$/.test(other)) || (args.udp && protocol === "UDP");
    return rows.filter(isListening).map((row) =>
        `${row[0].padEnd(4)} ${row[1].padEnd(30)} ${row.at(-1)}\n`).join("");
@tags read system
@keywords network socket listen server
@requires netstat
@platforms windows
@example {}

@test runs
    with {}
    expect exit-code 0
