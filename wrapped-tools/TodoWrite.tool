Keep the task list of the current work. Each call replaces the whole list.

@title Task List
@name TodoWrite
@wrapped todo_write
@tags read planning
@keywords todo plan tasks progress
@example {"todos": [{"content": "run the tests", "status": "in_progress"}]}

@test takes a list
    with {"todos": [{"content": "run the tests", "status": "pending"}]}
    expect output-contains run the tests
