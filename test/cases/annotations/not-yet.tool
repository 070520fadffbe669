@name not-yet
@wrapped run_command
@sandbox strict
@network example.org
@network example.com
@writes .
