Deploy.

@title Absent
@name absent
@wrapped run_command
@command ./deploy.sh --env {env} --tag={tag} -v {loud} {dry-run} {quiet} {force} --loudly {loudly}
@param env {string} Where to
@param tag {string} What
@param loud {boolean} Behind an option
@param dry-run {boolean} A word
@param quiet {boolean} [flag="-q"] An option
@param force {boolean} [default=false] Always a word
@param loudly {boolean} Behind an option of its name
@tags run
