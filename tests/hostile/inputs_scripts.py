# SPDX-License-Identifier: Apache-2.0
"""Scripts: each is started ten times, in an instance of its own."""
from harness import Input, until
from models import START, Flows, javascript, plain


def script(source, count=10):
    model = plain(START + javascript("x", source) + Flows()("s", "x"))

    def attack(server):
        status, answer = server.deploy(model)
        if status != 200:
            return f"refused: {answer}"
        for _ in range(count):
            server.start("p")

        def became():
            found = server.incidents()
            if found:
                return found[0]
            return None if "ACTIVE" in server.states("p") else "COMPLETED"
        return until(became, 20) or "still active"
    return attack


def many_scripts(source, count):
    names = [f"x{i}" for i in range(count)]
    model = plain(START + "".join(javascript(name, source) for name in names) + Flows()("s", *names))

    def attack(server):
        status, answer = server.deploy(model)
        return f"refused: {answer}" if status != 200 else "deployed"
    return attack


def nested_arrows(depth):
    text = "0"
    for _ in range(depth):
        text = f"(a={text})=>0"
    return text


SCRIPTS = [
    # Refused at deployment, each of its twenty scripts alike, but only one of them is looked at.
    Input("script: the parser reads it again and again", many_scripts(nested_arrows(40), 20),
          r"refused.*more than 400 ms", 3.5),
] + [
    Input(f"script: {name}", script(source), r"_ERROR|COMPLETED", 3.5) for name, source in [
        ("endless", "while (true) {}"),
        ("endless and catching", "while (true) { try { while (true) {} } catch (e) {} finally { while (true) {} } }"),
        ("a gigabyte of text", 'var s = "x"; while (s.length < 1e9) s += s; _context.s = s;'),
        ("a list without end", "var a = []; while (true) a.push(a.length);"),
        ("recursion", "function f() { return f() + 1; } f();"),
        ("a slow pattern", '/^(a+)+$/.test("a".repeat(60) + "b")'),
        ("a getter without end", "_context.x = { get y() { while (true) {} } };"),
        ("a proxy without end", "_context.x = new Proxy({}, { ownKeys() { while (true) {} } });"),
        ("large numbers", "var n = 2n; while (true) n = n * n;"),
        ("a sparse list", "var a = []; a[4294967294] = 1; a.sort(); a.indexOf(2); _context.x = a;"),
        ("waits", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);"),
        ("buffers", "var b = []; while (true) b.push(new ArrayBuffer(1e8));"),
        ("a sort that never ends", "[3,2,1].sort(function() { while (true) {} });"),
        # what the JavaScript engine does in one go, without looking whether its time is up
        ("a text to normalise", r"('a' + '\u0300\u0316'.repeat(1e6)).normalize('NFC')"),
        ("a million bits as text", "(2n ** 1048575n).toString().length"),
        ("a pattern of megabytes", "new RegExp('a|'.repeat(3000000)).test('b')"),
        ("a needle of long texts", "'a'.repeat(3e7).indexOf('a'.repeat(3e4) + 'b')"),
        ("code that the parser reads again and again",
         "let t = '0'; for (let i = 0; i < 40; i++) t = '(a=' + t + ')=>0'; eval(t)"),
        # tricks while its result is taken
        ("a thrown value without end", "throw { toString() { while (true) {} } };"),
        ("the same list a billion times", "let a = [1]; for (let i = 0; i < 30; i++) a = [a, a]; _context.x = a;"),
        ("thousands of large results", "const s = 'x'.repeat(1e6); for (let i = 0; i < 9000; i++) _context['v' + i] = s;"),
        ("promises", "function f() { return Promise.resolve().then(f); } f();"),
    ]
]
