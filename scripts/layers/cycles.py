"""Finds include cycles between files."""


def find(graph):
    """The cycles of a graph {file: included files}, one for each include that closes a cycle on the path to it."""
    found, finished = [], set()
    for start in sorted(graph):
        _visit(graph, start, finished, found)
    return found


def _visit(graph, start, finished, found):
    path, pending = [], [(start, False)]
    while pending:
        node, is_left = pending.pop()
        if is_left:
            path.pop()
            finished.add(node)
        elif node in path:
            cycle = path[path.index(node):]
            first = cycle.index(min(cycle))
            found.append(cycle[first:] + cycle[:first])
        elif node not in finished:
            path.append(node)
            pending.append((node, True))
            pending += [(target, False) for target in sorted(set(graph.get(node, ())), reverse=True)]
