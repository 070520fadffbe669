Options below a script.

@title Script
@name script
@wrapped run_command
@shell sh
@script
    if true; then
      retry: 3
    fi
    ls
    ignore-errors: true
    name: x
@tags run
