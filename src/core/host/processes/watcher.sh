#!/bin/sh
# Ends the runs of a program that was killed: see process-watcher.ts.
#
# Gets `RUN:GROUP:START:MARK` of the first run as its argument, reads `+RUN:GROUP:START:MARK` and `-RUN` of others until
# the pipe is closed, and ends the runs that are left then.
#
# It ends them by `kill` of the group, unless its leader was started at another time, so that its id belongs to another
# process now, or is gone and the mark finds the others; by `grep` for the run's id in all environments, and by the
# mark, unless the environment has the id of another run, or another dottool has claimed the mark, as it may once this
# one's is gone: its processes, and for a moment it itself, have the mark then. So each is stopped before the claim is
# looked at, and goes on if it is another's. A process that forks and ends at once is too quick for `grep`: the process
# that was started last is looked at with builtins only.
#
# Its descriptors above 2 are closed: otherwise those that this program has got from its own parent would stay open,
# and `dottool x 3>&1 | cat` would wait for the script.

# The limit of full searches with `grep`, which take some 10 ms each; some processes cannot be killed.
PASSES=60 QUIET=3
# The number of quick searches; each takes some 0.1 ms.
LOOKS=200 IDS=40
# The number of ids that are checked again, because an id is assigned some time before its process is visible.
AGAIN=4

trap '' INT TERM HUP QUIT PIPE TSTP TTIN TTOU
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
runs=$1
while IFS= read -r line; do
  case $line in
    +*) runs="$runs ${line#+}" ;;
    -*) left=
      for run in $runs; do case $run in "${line#-}":*) ;; *) left="$left $run" ;; esac; done
      runs=$left ;;
  esac
done
[ -n "$runs" ] || exit 0
split() { id=${1%%:*} mark=${1##*:} group=${1#*:}; group=${group%:*}; start=${group#*:}; group=${group%%:*}; }
led() {
  stat=$(cat "/proc/$group/stat" 2>/dev/null) || { [ -z "$mark" ]; return; }
  set -- ${stat##*) }; [ "${20}" = "$start" ]
}
number() { pid=${1#/proc/}; pid=${pid%%/*}; }
owned() { [ "$(readlink "$CLAIM$mark")" = "$OWNER" ]; }
hit() { kill -KILL "$1" 2>/dev/null && hits=1; }
marked() { grep -l "^$mark" /proc/[0-9]*/coredump_filter 2>/dev/null; }
foreign() { grep -a "$ID_NAME=[0-9a-f]" "/proc/$1/environ" 2>/dev/null | grep -qav "$id"; }
end() {
  kill -STOP "$1" 2>/dev/null || return
  if foreign "$1" || ! owned; then kill -CONT "$1"; else hit "$1"; fi
}
strike() { for file in $(marked); do number "$file"; end "$pid"; done; }
quick() {
  look=0 next=0
  while [ $look -lt $LOOKS ]; do
    look=$((look + 1))
    read -r x x x x last </proc/loadavg || return
    pid=$next
    [ $((last - pid)) -le $IDS ] && [ "$pid" -le "$last" ] || pid=$((last - $IDS))
    next=$((last - $AGAIN))
    while [ $pid -lt "$last" ]; do
      pid=$((pid + 1)) filter=
      read -r filter 2>/dev/null <"/proc/$pid/coredump_filter"
      [ "$filter" = "$mark" ] || continue
      end "$pid"
    done
  done
}
pass=0 quiet=0
while [ $pass -lt $PASSES ] && [ $quiet -lt $QUIET ]; do
  pass=$((pass + 1)) hits=
  for run in $runs; do
    split "$run"
    led && kill -KILL "-$group" 2>/dev/null
    [ -r /proc/loadavg ] || continue
    for file in $(grep -la "$id" /proc/[0-9]*/environ 2>/dev/null); do number "$file"; hit "$pid"; done
    if [ -n "$mark" ] && owned; then strike; quick; fi
  done
  if [ -n "$hits" ]; then quiet=0; else quiet=$((quiet + 1)); fi
done
for run in $runs; do split "$run"; [ -n "$mark" ] && owned && rm -f "$CLAIM$mark"; done
