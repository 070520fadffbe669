Serve.
@shell sh
@command nohup python3 -m http.server 8000 &
