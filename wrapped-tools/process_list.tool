List the processes that run on this machine: id, parent, user, processor and memory use, running time and program.

@title List Processes
@name process_list
@wrapped run_command
@command(linux) ps -e -o pid,ppid,user,pcpu,rss,etime,comm --sort=-{order}
@command(macos) ps -A -o pid,ppid,user,pcpu,rss,etime,comm
@param order {"pcpu"|"rss"|"etime"|"pid"} [default=pcpu] What comes first; on Linux
@tags read system
@keywords ps top cpu memory running
@requires ps
@platforms linux macos
@example {"order": "pcpu"}
@note Only names of programs: their arguments may hold passwords.

@test lists processes
    with {"order": "rss"}
    expect exit-code 0
    expect output-contains PID
