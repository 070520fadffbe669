Options among the lines of steps.

@title Sure
@name sure
@tags run
timeout: 3s
@step behind sh
    false
    fallback: echo x
@step below bash [fallback]
    false
    retry: 3
    fallback:
        echo x
    when: {behind.ok}
    fallback: echo y
@step same sh [fallback]
    false
    fallback: echo x
@step kind runs
    ls
    fallback: bash
        ls | sort
@step words runs
    rm -r build
    timeout: 3s
    fallback: echo x
@step given uses glob
    arguments = ["."]
    retry: 3
@step taken sh [retry=2]
    ls
    retry: 3 delay=1s
    timeout: as long as it takes
@step marked sh
    ls
    @timeout 3s
  @step deeper runs
    ls
@step drafted prompt
    Say hello.
    fallback:
        echo x
@step counted python
    print(1)
    fallback:
        print(2)
@cleanup sh
    rm -rf build
    continue-on-error: true
