@name not-yet
@sandbox strict
@network example.org
@network example.com
@writes .
@step one runs
    ls
@step two runs
    ls
@output
    {one}
@code
    export const execute = () => 1;
