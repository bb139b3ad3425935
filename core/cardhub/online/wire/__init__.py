"""The wire protocol of tables: messages between a server and its clients, and their JSON form."""
