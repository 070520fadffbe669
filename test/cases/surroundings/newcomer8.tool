Py.
@shell sh
@script
    #!/usr/bin/env python3
    print("hi")
