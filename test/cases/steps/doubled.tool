Braces that stay text are doubled.

@title Doubled
@name doubled
@step a sh
    echo "{{zz.y}}" {{zz.y}} '{qq.y}' '{{a.stdout}}' {{zz}}
@step b runs
    echo {{zz.y}} {{a.stdout}} {{zz}}
@output
    {{zz.y}} {a.stdout}
