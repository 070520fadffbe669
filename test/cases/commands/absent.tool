Deploy.

@title Deploy
@name deploy
@wrapped run_command
@command ./deploy.sh --env {env} --tag={tag} -v {loud} {dry-run} {quiet} {force}
@param env {string} Where to
@param tag {string} What
@param loud {boolean} Behind an option
@param dry-run {boolean} A word
@param quiet {boolean} [flag="-q"] An option
@param force {boolean} [default=false] Always a word
@tags run
