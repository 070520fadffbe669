Only words.
