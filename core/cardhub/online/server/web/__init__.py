"""The HTTP side of the server: routes, headers, origins, pages, and uvicorn."""
