Deploy the service.

@title Deploy
@name deploy
@wrapped run_command
@command printf '%s\n' {environment} {replicas} {dry_run}
@param environment {"staging"|"production"} [required] Where to
@param replicas {integer} [min=1, max=10] How many
@param dry_run {boolean} [flag="--dry-run"] Only say what would be done
@tags write
