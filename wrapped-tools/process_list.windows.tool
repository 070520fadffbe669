List the processes that run on this machine: program, id, session and memory use.

@title List Processes
@name process_list
@param order {"pcpu"|"rss"|"etime"|"pid"} [default=pcpu] What comes first: rss, the memory, or pid; else as `tasklist` has them
@step(windows) printed runs
    tasklist /fo csv /nh
@step sorted code
    // Wine prints UTF-16.
    const rows = steps.printed.output.replaceAll("\0", "").split("\n").filter(Boolean).map((line) =>
        [...line.matchAll(/"([^"]*)"/g)].map(([, cell]) => cell)).filter((row) => row.length === 5);
    if (rows.length === 0) throw new Error("tasklist printed no processes");
    const number = (text) => Number(text.replace(/\D/g, ""));
    if (order === "rss") rows.sort((one, other) => number(other[4]) - number(one[4]));
    if (order === "pid") rows.sort((one, other) => number(other[1]) - number(one[1]));
    const line = ([name, id, session, , memory]) =>
        `${id.padStart(7)} ${session.padEnd(10)} ${memory.padStart(14)} ${name}\n`;
    return line(["COMMAND", "PID", "SESSION", "", "MEMORY"]) + rows.map(line).join("");
@tags read system
@keywords ps top cpu memory running
@requires tasklist
@platforms windows
@example {"order": "rss"}

@test lists processes
    with {"order": "rss"}
    expect output-contains PID
