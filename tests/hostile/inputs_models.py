# SPDX-License-Identifier: Apache-2.0
"""Models that would run for ever, grow for ever, or do too much at once."""
from harness import Input, until
from models import (END, START, Flows, chain, circle, extended, feel_script, javascript, job, loop, mapped, plain,
                    process, tasks)

MEGABYTE = "x" * 1_000_000


def runs(model, variables=None, process_id="p", times=1, wait=20.0):
    """Deploys it, starts it, and says what became of it: the first incident, or the state."""
    def attack(server):
        status, answer = server.deploy(model) if isinstance(model, str) else server.deploy(*model)
        if status != 200:
            return f"refused: {answer['detail'] if isinstance(answer, dict) else answer}"
        for _ in range(times):
            status, answer = server.start(process_id, variables)
            if status != 200:
                return f"start refused: {answer['detail'] if isinstance(answer, dict) else answer}"

        def became():
            found = server.incidents()
            if found:
                return found[0]
            return None if "ACTIVE" in server.states(process_id) else ", ".join(server.states(process_id))
        return until(became, wait) or "still active"
    return attack


def ring(count):
    flow = Flows()
    names = [f"t{i}" for i in range(count)]
    return process(START + tasks(*names) + flow("s", *names, names[0]))


def self_feeding_fork():
    flow = Flows()
    return process(START + tasks("hub", "a", "b") + '<parallelGateway id="fork"/>'
                   + flow("s", "hub", "fork", "a", "hub") + flow("fork", "b", "hub"))


def inclusive_joins(count):
    flow, text = Flows(), [START, END]
    last = "s"
    for i in range(count):
        text += [f'<inclusiveGateway id="o{i}"/><inclusiveGateway id="j{i}"/>', tasks(f"a{i}", f"b{i}"),
                 flow(last, f"o{i}", f"a{i}", f"j{i}"), flow(f"o{i}", f"b{i}", f"j{i}")]
        last = f"j{i}"
    return process("\n".join(text) + flow(last, "e"))


def calls_itself(times, variables=""):
    flow = Flows()
    call = extended("callActivity", "c", f'<zeebe:calledElement processId="p" propagateAllChildVariables="false"/>'
                    + variables, loop(f"=for i in 1..{times} return i") if times > 1 else "")
    return process(START + END + call + flow("s", "c", "e"))


def fork_of(count):
    flow = Flows()
    names = [f"t{i}" for i in range(count)]
    return process(START + '<parallelGateway id="fork"/>' + tasks(*names) + flow("s", "fork")
                   + "".join(flow("fork", name) for name in names))


def one(element, more=""):
    flow = Flows()
    return process(START + END + element + more + flow("s", "x", "e"))


def nested(depth):
    flow = Flows()
    inner = tasks("a", "b") + '<startEvent id="s0"/>' + flow("s0", "a", "b", "a")
    for i in range(1, depth):
        inner = (f'<startEvent id="s{i}"/><subProcess id="box{i}">{inner}</subProcess>' + flow(f"s{i}", f"box{i}"))
    return process(inner)


def nested_loops(depth, width):
    flow = Flows()
    inner = '<startEvent id="s0"/>' + job("w") + flow("s0", "w")
    for i in range(1, depth + 1):
        inner = (f'<startEvent id="s{i}"/><subProcess id="box{i}">{loop(f"=for i in 1..{width} return i")}{inner}'
                 "</subProcess>" + flow(f"s{i}", f"box{i}"))
    return process(inner)


def holds(count):
    """Keeps many values, each of which is small enough."""
    inputs = [("=s + s", f"v{i}") for i in range(count)]
    return one(mapped("x", "serviceTask", inputs, more='<zeebe:taskDefinition type="work"/>'))


def compensations(count):
    flow = Flows()
    inner = ('<startEvent id="s1"/><task id="t"/><boundaryEvent id="b" attachedToRef="t"><compensateEventDefinition/>'
             '</boundaryEvent><task id="undo" isForCompensation="true"/>'
             '<association id="as" sourceRef="b" targetRef="undo"/>' + flow("s1", "t"))
    body = (f'<subProcess id="x">{loop(f"=for i in 1..{count} return i", "item")}{inner}</subProcess>'
            '<intermediateThrowEvent id="throw"><compensateEventDefinition/></intermediateThrowEvent>')
    return process(START + END + body + flow("s", "x", "throw", "e"))


def timers(count):
    flow = Flows()
    return process(START + END + '<subProcess id="x">' + loop(f"=for i in 1..{count} return i")
                   + '<startEvent id="s1"/><intermediateCatchEvent id="w"><timerEventDefinition>'
                   '<timeDuration xsi:type="tFormalExpression">PT1S</timeDuration></timerEventDefinition>'
                   '</intermediateCatchEvent>' + flow("s1", "w") + "</subProcess>" + flow("s", "x", "e"))


def bomb_behind_a_timer():
    flow = Flows()
    return process(START + '<intermediateCatchEvent id="w"><timerEventDefinition><timeDuration '
                   'xsi:type="tFormalExpression">PT1S</timeDuration></timerEventDefinition></intermediateCatchEvent>'
                   + mapped("x", outputs=[("=for i in 1..100000 return s", "big")]) + flow("s", "w", "x"))


BUSY = "var end = Date.now; var n = 0; for (var i = 0; i < 2e6; ++i) n += i % 7; _context.n = n;"
HEAVY = "=count(for i in 1..60000 return i * 2) &gt; 0"
SLOW_MATCH = "=matches(s, '(a+)+$')".replace("'", "&quot;")

ENDLESS = r"UNKNOWN: the instance has taken \d+ steps without waiting for anything: "
FULL = r"MESSAGE_SIZE_EXCEEDED: .*--max-instance"

MODELS = [
    Input("circle of two plain tasks", runs(circle(tasks("a", "b"), "a", "b")), ENDLESS + '"[ab]" → "[ab]"'),
    Input("ring of 8,000 tasks", runs(ring(8_000)), ENDLESS + ".*t\\d+", 4),
    Input("circle of a FEEL script", runs(circle(feel_script("a", HEAVY), "a")), "still active|without waiting", 4),
    Input("circle of a costly pattern", runs(circle(feel_script("a", SLOW_MATCH), "a"), {"s": "a" * 5_000 + "b"}),
          "EXTRACT_VALUE_ERROR.*regular expression|still active"),
    Input("circle of a JavaScript task", runs(circle(javascript("a", BUSY), "a", dialect=plain), wait=4),
          "still active|without waiting|ran for more than 400 ms", 4),
    Input("parallel fork that feeds itself", runs(self_feeding_fork()), f"{FULL}|{ENDLESS}", 4),
    Input("3,000 inclusive joins", runs(inclusive_joins(3_000)), "COMPLETED", 4),
    Input("a process that calls itself", runs(calls_itself(1)), "CALLED_ELEMENT_ERROR.*1000 calls", 4),
    Input("it calls itself with a megabyte", runs(calls_itself(1), {"s": MEGABYTE}, wait=5), "still active|CALLED", 5),
    Input("calls that fork themselves", runs(calls_itself(2), wait=5), "still active", 5),
    Input("calls that fork in tens", runs(calls_itself(10), wait=5), "still active", 5),
    Input("a loop over items of a megabyte",
          runs(one(job("x", after=loop("=for i in 1..1000 return s", "item"))), {"s": MEGABYTE}),
          "collection at .* takes \\d+ bytes, and the instance would hold|the result has more than 67108864 bytes"),
    Input("a loop of 1,000,000 plain tasks",
          runs(one(f'<task id="x">{loop("=for i in 1..1000000 return i", "item")}</task>')), "COMPLETED|budget", 5),
    Input("fork of 10,000", runs(fork_of(10_000)), "COMPLETED", 4),
    Input("chain of 15,000", runs(chain(15_000)), "COMPLETED", 4),
    Input("mapping to 600 parts", runs(one(mapped("x", inputs=[("=1", ".".join(["x"] * 600))]))),
          "refused: .*600 parts; the limit is 100"),
    Input("mapping to 200,000 parts", runs(one(mapped("x", inputs=[("=1", ".".join(["x"] * 200_000))]))),
          "refused: .*200000 parts"),
    Input("2,000 mappings", runs(one(mapped("x", inputs=[(f"={i}", f"x.a{i}") for i in range(2_000)]))),
          "refused: .*1000 mappings"),
    Input("1,000 mappings into one object",
          runs(circle(mapped("a", outputs=[(f"={i}", f"x.a{i}") for i in range(1_000)]), "a")), "still active|without waiting"),
    Input("a list of 100,000 megabytes",
          runs(one(mapped("x", outputs=[("=for i in 1..100000 return s", "big")])), {"s": MEGABYTE}),
          'IO_MAPPING_ERROR.*"big".*more than 67108864 bytes'),
    Input("a value that doubles", runs(circle(mapped("a", outputs=[("=x", "x.a"), ("=x", "x.b")]), "a"),
                                       {"x": {"s": "0123456789"}}), "IO_MAPPING_ERROR.*--max-value"),
    Input("a value that grows deeper", runs(circle(mapped("a", outputs=[("=x", "x.a.prev")]), "a"), {"x": {}}),
          "IO_MAPPING_ERROR.*levels deep; the limit is 499"),
    Input("a text that grows", runs(circle(feel_script("a", "=s + s", "s"), "a"), {"s": "0123456789"}),
          "EXTRACT_VALUE_ERROR.*bytes"),
    Input("a list that grows", runs(circle(feel_script("a", "=concatenate(l, l)", "l"), "a"), {"l": [1, 2, 3]}),
          "EXTRACT_VALUE_ERROR.*bytes|too many"),
    Input("10,000 elements that nothing leads to", runs(plain(tasks(*[f"t{i}" for i in range(10_000)]))), "COMPLETED", 4),
    Input("an ad-hoc sub-process of 5,000 elements",
          runs(plain(START + END + '<adHocSubProcess id="x">' + tasks(*[f"t{i}" for i in range(5_000)])
                     + "</adHocSubProcess>" + Flows()("s", "x", "e"))), "COMPLETED|still active", 4),
    Input("100,000 timers", runs(timers(100_000), wait=6), "COMPLETED|still active", 6),
    Input("a memory bomb behind a timer", runs(bomb_behind_a_timer(), {"s": MEGABYTE}), "IO_MAPPING_ERROR.*67108864 bytes"),
    Input("1,000 busy scripts in a loop",
          runs(plain(START + END + '<scriptTask id="x" scriptFormat="javascript"><multiInstanceLoopCharacteristics>'
                     f"<loopCardinality>1000</loopCardinality></multiInstanceLoopCharacteristics><script>{BUSY.replace('<', '&lt;')}"
                     "</script></scriptTask>" + Flows()("s", "x", "e")), wait=4), "still active|COMPLETED|ran for more than 400 ms", 4),
    Input("a completion condition that reads all output",
          runs(one(f'<task id="x">' + loop("=for i in 1..30000 return i", "item", ("out", "=item"),
                                           condition="=count(out) &gt; 1000000") + "</task>"), wait=5),
          "still active|COMPLETED", 5),
    Input("30,000 records to undo", runs(compensations(30_000), {"s": "x" * 1_000}, wait=6), "COMPLETED|still active|MESSAGE_SIZE", 6),
    Input("a circle 400 scopes deep", runs(nested(400)), ENDLESS),
    Input("20 loops inside each other", runs(nested_loops(20, 2)), "--max-instance", 4),
    Input("14 values of 3.8 MB at once, 20 times", runs(holds(14), {"s": "x" * 1_900_000}, times=20),
          "IO_MAPPING_ERROR.*would enter in one step"),
    Input("4 values of 3.8 MB at once, 5 times", runs(holds(4), {"s": "x" * 1_900_000}, times=5, wait=3),
          "still active", 4),
    Input("20 circles at once", runs(circle(tasks("a", "b"), "a", "b"), times=20), ENDLESS, 4),
]
