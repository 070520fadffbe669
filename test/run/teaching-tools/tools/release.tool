Release a version in two steps.

@title Release
@name release
@param version {string} [required, pattern=/v\d+\.\d+\.\d+/] Which one
@param channel {"stable"|"beta"} [default=stable] Where to
@param dry_run {boolean} [default=false] Only say what would be done
@step build sh
    printf 'built %s %s\n' {version} {dry_run}
@step publish sh
    printf 'published %s to %s\n' {version} {channel}
@tags read
