Ask.

@title Ask
@name code
@code
    return 1;
@env T=secret:T for=api.github.com
