# SPDX-License-Identifier: Apache-2.0
"""`pawl run` as scripts see it: how a run ends, what the JSON holds, and what is refused."""
import json
import pathlib
import re
import sys
import time
import unittest

sys.dont_write_bytecode = True
import models  # noqa: E402
from program import Contract, run  # noqa: E402

ORDER = pathlib.Path(__file__).resolve().parents[2] / "examples" / "order"
MEMBERS = {"state", "instance", "variables", "path", "incidents", "waiting", "events"}


class Run(Contract):
    def run_json(self, *words):
        """The exit code and the one JSON object that is printed."""
        outcome = run("run", *words, "--json")
        self.assertEqual(outcome.out.count("\n"), 1, outcome)
        answer = json.loads(outcome.out)
        self.assertEqual(set(answer), MEMBERS)
        return outcome.code, answer

    def test_a_process_that_ends_is_done(self):
        code, answer = self.run_json(self.file("m.bpmn", models.EMPTY), "--vars", '{"a": 1}')
        self.assertEqual((code, answer["state"]), (0, "completed"))
        self.assertEqual(answer["path"][:2], ["start", "end"])
        self.assertEqual(answer["variables"], {"a": 1})
        self.assertGreater(answer["events"], 0)

    def test_a_worker_that_throws_no_code_fails_its_job(self):
        code, answer = self.run_json(self.file("m.bpmn", models.JOB), "--worker", "charge=exit 42")
        (incident,) = answer["incidents"]
        self.assertEqual((code, incident["type"]), (3, "JOB_NO_RETRIES"))
        self.assertIn("the first line of its standard error is empty", incident["message"])

    def test_a_resume_that_is_refused_leaves_no_directory(self):
        model = self.file("m.bpmn", models.JOB)
        fresh = pathlib.Path(model).parent / "fresh"
        outcome = run("run", model, "--data", str(fresh), "--resume")
        self.assertEqual(outcome.code, 1, outcome)
        self.assertIn("there is no unfinished instance", outcome.err)
        self.assertFalse(fresh.exists())

    def test_an_endless_circle_is_shown_in_its_beginning_and_end(self):
        model = self.file("m.bpmn", models.CIRCLE)
        outcome = run("run", model, "--max-steps", "20000")
        self.assertEqual(outcome.code, 3, outcome.err)
        lines = outcome.out.splitlines()
        self.assertLess(len(lines), 1_100)
        (place,) = [number for number, line in enumerate(lines) if re.search(r"… \([0-9]+ more steps\)", line)]
        self.assertIn("incident", lines[place + 1])
        self.assertIn("count", lines[place - 1])
        traced = run("run", model, "--max-steps", "20000", "--trace")
        self.assertNotIn("more steps", traced.out)

    def test_a_script_leaves_its_results(self):
        model = models.script_process("_context.b = a + 1;")
        code, answer = self.run_json(self.file("m.bpmn", model), "--vars", '{"a": 1}')
        self.assertEqual((code, answer["variables"]), (0, {"a": 1, "b": 2}))

    def test_a_failing_script_is_an_incident(self):
        code, answer = self.run_json(self.file("m.bpmn", models.script_process('throw new Error("no luck");')))
        self.assertEqual((code, answer["state"]), (3, "incident"))
        self.assertEqual(answer["incidents"][0]["element"], "work")
        self.assertIn("no luck", answer["incidents"][0]["message"])

    def test_a_job_without_an_answer_waits(self):
        code, answer = self.run_json(self.file("m.bpmn", models.JOB))
        self.assertEqual((code, answer["state"]), (4, "waiting"))
        self.assertEqual(answer["waiting"][0]["element"], "work")
        self.assertIn("charge", answer["waiting"][0]["for"])

    def test_an_ad_hoc_sub_process_waits_for_somebody(self):
        model = models.process(
            '<startEvent id="start"/><adHocSubProcess id="box"><task id="a"/><task id="b"/></adHocSubProcess>'
            '<sequenceFlow id="f1" sourceRef="start" targetRef="box"/>',
        ).replace('targetNamespace', 'xmlns:flowable="http://flowable.org/bpmn" targetNamespace')
        file = self.file("m.bpmn", model)
        code, answer = self.run_json(file)
        self.assertEqual((code, answer["waiting"]), (4, [{"element": "box", "for": 'somebody to start "a" or "b"'}]))
        self.assertIn("answer it with --activate box=a", run("run", file).out)
        rows = [
            (("box=a,b", "box=b"), 4, ["start", "a", "b", "box#path", "box#path", "b", "box#path"]),
            (("box=b", "box="), 0, ["start", "b", "box#path", "box"]),
            (("box=",), 0, ["start", "box"]),
        ]
        for activations, exit_code, path in rows:
            with self.subTest(activations=activations):
                code, answer = self.run_json(file, *[word for one in activations for word in ("--activate", one)])
                self.assertEqual((code, answer["path"]), (exit_code, path))
        self.assertIn('no element "x"', run("run", file, "--activate", "box=x").err)
        self.assertIn("AD_HOC_ID=ELEMENT", run("run", file, "--activate", "box").err)
        self.assertIn("nothing waited for --activate other", run("run", file, "--activate", "other=a").out)

    def test_a_job_is_completed_failed_or_throws(self):
        file = self.file("m.bpmn", models.JOB)
        rows = [
            ('charge={"paid": true}', 0, "completed"),
            ("charge={paid: amount > 10}", 1, None),  # FEEL needs its equals sign
            ("charge=={paid: amount > 10}", 0, "completed"),
            ("charge=fail:no money", 3, "incident"),
            ("charge=error:declined", 3, "incident"),
        ]
        for job, code, state in rows:
            with self.subTest(job=job):
                outcome = run("run", file, "--vars", '{"amount": 20}', "--job", job, "--json")
                self.assertEqual(outcome.code, code, outcome)
                if state:
                    self.assertEqual(json.loads(outcome.out)["state"], state)
        _, answer = self.run_json(file, "--vars", '{"amount": 20}', "--job", "charge=={paid: amount > 10}")
        self.assertIs(answer["variables"]["paid"], True)

    def test_a_call_activity_runs_a_process_of_another_file(self):
        caller = self.file("caller.bpmn", models.process(
            '<startEvent id="start"/><callActivity id="call" calledElement="child"/><endEvent id="end"/>'
            '<sequenceFlow id="f1" sourceRef="start" targetRef="call"/>'
            '<sequenceFlow id="f2" sourceRef="call" targetRef="end"/>'))
        child = self.file("child.bpmn", models.script_process("_context.b = a + 1;").replace('id="p"', 'id="child"'))
        words = ("--process", "p", "--vars", '{"a": 1}')
        code, answer = self.run_json(caller, child, *words)
        self.assertEqual((code, answer["variables"]), (0, {"a": 1, "b": 2}))
        self.assertEqual(answer["path"], ["start", "start", "work", "end", "call", "end"])
        code, answer = self.run_json(caller, *words)
        self.assertEqual((code, answer["incidents"][0]["type"]), (3, "CALLED_ELEMENT_ERROR"))
        self.assertIn("give the file that has it", answer["incidents"][0]["message"])
        code, answer = self.run_json(caller, child, *words, "--data", str(pathlib.Path(child).parent / "data"))
        self.assertEqual((code, answer["variables"]), (0, {"a": 1, "b": 2}))

    def test_wrong_input_is_a_sentence_and_exit_code_1(self):
        right = self.file("right.bpmn", models.EMPTY)
        rows = [
            (("no-such.bpmn",), "no-such.bpmn"),
            ((self.file("wrong.bpmn", models.LOST_FLOW),), "nowhere"),
            ((right, "--vars", "{"), "--vars"),
            ((right, "--vars", "[]"), "--vars"),
            ((right, "--process", "other"), "other"),
            ((right, "--job", "charge"), "TYPE=JSON"),
        ]
        for words, part in rows:
            with self.subTest(words=words):
                outcome = run("run", *words)
                self.assertEqual(outcome.code, 1, outcome)
                self.assertIn(part, outcome.err)

    def test_a_wrong_line_is_usage(self):
        right = self.file("right.bpmn", models.EMPTY)
        for words in [(), (right, "--job"), (right, "--jobs", "a={}")]:
            with self.subTest(words=words):
                self.assert_complains(run("run", *words), 2)

    def test_what_this_version_cannot_run_is_refused_by_name(self):
        model = models.process("<startEvent id='start'/><complexGateway id='odd'/>"
                               "<sequenceFlow id='f' sourceRef='start' targetRef='odd'/>")
        outcome = run("run", self.file("m.bpmn", model))
        self.assertEqual(outcome.code, 1, outcome)
        self.assertIn("odd", outcome.err)

    def test_a_message_is_published_when_something_waits_for_it(self):
        file = self.file("m.bpmn", models.WAITING)
        code, answer = self.run_json(file)
        self.assertEqual((code, answer["state"]), (4, "waiting"))
        self.assertEqual(answer["waiting"], [{"element": "wait", "for": 'message "paid"'}])
        code, answer = self.run_json(file, "--message", 'paid={"sum": 5}')
        self.assertEqual((code, answer["variables"], answer["path"]), (0, {"sum": 5}, ["start", "wait", "end"]))
        outcome = run("run", file, "--message", "sent={}", "--signal", "paid={}")
        self.assertEqual(outcome.code, 4, outcome)
        for part in ('nothing waited for message "sent"', 'nothing waited for signal "paid"', "--message paid="):
            self.assertIn(part, outcome.out)
        self.assertEqual(run("run", file, "--message", "paid").code, 1)
        self.assertEqual(run("run", file, "--message", "paid=[]").code, 1)

    def test_a_key_chooses_among_those_who_wait(self):
        bids = str(ORDER.parent / "multi-instance" / "receive.bpmn")
        code, answer = self.run_json(bids, "--vars", '{"bidders": ["ann", "bob"]}', "--job", "remind={}",
                                     "--message", 'bid:bob={"price": 70}')
        self.assertEqual((code, answer["path"]), (0, ["start", "await_bid", "three_days", "remind", "reminded",
                                                      "one_week", "closed"]))
        self.assertNotIn("prices", answer["variables"])

    def test_events_on_the_border_happen(self):
        rows = [  # (definition, words, exit code, path)
            (models.AFTER_2H, (), 0, ["start", "event", "over"]),
            (models.AFTER_2H, ("--job", "user-task:ask={}"), 0, ["start", "ask", "end"]),
            (models.AFTER_2H, ("--timeout", "1h"), 4, ["start"]),
            (models.ON_MESSAGE, ("--message", "paid={}"), 0, ["start", "event", "over"]),
            (models.ON_MESSAGE, ("--message", "paid={}", "--job", "user-task:ask={}"), 0, ["start", "event", "over"]),
            (models.ON_SIGNAL, ("--signal", "stop={}"), 0, ["start", "event", "over"]),
            (models.ON_SIGNAL, (), 4, ["start"]),
        ]
        for definition, words, code, path in rows:
            with self.subTest(definition=definition, words=words):
                model = models.timed(models.boundary(definition), extra="<endEvent id='over'/>", flows=[("event", "over")])
                got, answer = self.run_json(self.file("m.bpmn", model), *words)
                self.assertEqual((got, answer["path"]), (code, path))

    def test_event_sub_processes_interrupt_or_run_beside(self):
        inside = ["event", "over", "handler"]
        rows = [  # (definition, interrupting, words, exit code, path)
            (models.AFTER_2H, True, (), 0, ["start", *inside]),
            (models.AFTER_2H, True, ("--job", "user-task:ask={}"), 0, ["start", "ask", "end"]),
            (models.AFTER_2H, False, (), 4, ["start", *inside]),
            (models.ON_MESSAGE, True, ("--message", "paid={}"), 0, ["start", *inside]),
            (models.ON_MESSAGE, False, ("--message", "paid={}", "--job", "user-task:ask={}"), 0,
             ["start", *inside, "ask", "end"]),
            (models.ON_SIGNAL, True, ("--signal", "stop={}"), 0, ["start", *inside]),
            (models.ON_ERROR, True, ("--job", "user-task:ask=error:no"), 0, ["start", *inside]),
        ]
        for definition, interrupting, words, code, path in rows:
            with self.subTest(definition=definition, interrupting=interrupting, words=words):
                model = models.timed(models.handler(definition, interrupting))
                got, answer = self.run_json(self.file("m.bpmn", model), *words)
                self.assertEqual((got, answer["path"]), (code, path))

    def test_a_trace_shows_an_event_sub_process(self):
        file = self.file("m.bpmn", models.timed(models.handler(models.ON_MESSAGE)))
        outcome = run("run", file, "--trace", "--message", "paid={}")
        steps = [("waits", "event"), ("receives", "event"), ("ends", "ask"), ("enters", "handler"),
                 ("passes", "event"), ("leaves", "handler"), ("completes", "p")]
        lines = iter(outcome.out.split("\n"))
        for verb, name in steps:
            self.assertTrue(any(verb in line.split() and name in line.split() for line in lines), (verb, name, outcome))
        waiting = run("run", file)
        self.assertIn('message "paid", for event sub-process "handler"', waiting.out)

    def test_a_start_event_that_cannot_be_run_is_named(self):
        model = models.timed(models.handler("<conditionalEventDefinition><condition>x</condition>"
                                            "</conditionalEventDefinition>"))
        outcome = run("run", self.file("m.bpmn", model))
        self.assertEqual(outcome.code, 1, outcome)
        self.assertIn('conditional start event "event" cannot be run', outcome.err)

    def test_a_timer_that_repeats_without_end_does_not(self):
        model = models.timed(models.boundary(models.EVERY_HOUR, False), extra="<endEvent id='over'/>",
                             flows=[("event", "over")])
        file = self.file("m.bpmn", model)
        code, answer = self.run_json(file)
        self.assertEqual((code, answer["state"], answer["path"].count("event")), (4, "waiting", 100))
        self.assertEqual(answer["waiting"][0]["for"], 'job "user-task:ask"')
        self.assertIn("timer, due at ", answer["waiting"][1]["for"])
        code, answer = self.run_json(file, "--timeout", "5h")
        self.assertEqual((code, answer["path"].count("event")), (4, 5))

    def test_a_real_time_timer_takes_its_time(self):
        half_a_second = models.AFTER_2H.replace("PT2H", "PT0.5S")
        model = models.timed(models.boundary(half_a_second), extra="<endEvent id='over'/>", flows=[("event", "over")])
        begin = time.monotonic()
        code, _ = self.run_json(self.file("m.bpmn", model), "--real-time")
        self.assertEqual(code, 0)
        self.assertGreaterEqual(time.monotonic() - begin, 0.5)

    def test_a_trace_tells_of_waiting(self):
        model = models.timed(models.boundary(models.AFTER_2H), extra="<endEvent id='over'/>", flows=[("event", "over")])
        file = self.file("m.bpmn", model)
        short, full = run("run", file), run("run", file, "--trace")
        self.assertRegex(full.out, r"waits +event +timer, due at ")
        self.assertNotRegex(short.out, r"waits +event")
        for outcome in (short, full):
            self.assertRegex(outcome.out, r"\+2h +fires +event +timer")
        waiting = self.file("w.bpmn", models.WAITING)
        told = run("run", waiting, "--message", "paid={}").out
        self.assertRegex(told, r'waits +wait +message "paid"')
        self.assertRegex(told, r'receives +wait +message "paid"')

    def test_an_instance_continues_as_new_until_it_ends(self):
        script = ("<scriptTask id='count' scriptFormat='javascript'><script>_context.n = n + 1;</script></scriptTask>"
                  "<exclusiveGateway id='more'/>")
        content = ("<startEvent id='start'/>" + script + "<endEvent id='next' pawl:continueAsNew='true'/><endEvent id='end'/>"
                   "<sequenceFlow id='a' sourceRef='start' targetRef='count'/><sequenceFlow id='b' sourceRef='count' "
                   "targetRef='more'/><sequenceFlow id='c' sourceRef='more' targetRef='next'><conditionExpression>n &lt; LIMIT"
                   "</conditionExpression></sequenceFlow><sequenceFlow id='d' sourceRef='more' targetRef='end'>"
                   "<conditionExpression>n &gt;= LIMIT</conditionExpression></sequenceFlow>")
        model = models.process(content).replace("<definitions", "<definitions xmlns:pawl='http://pawl.dev/bpmn/1.0'")
        code, answer = self.run_json(self.file("m.bpmn", model.replace("LIMIT", "5")), "--vars", '{"n": 0}')
        self.assertEqual((code, answer["state"], answer["variables"]), (0, "completed", {"n": 5}))
        self.assertEqual(answer["path"].count("next"), 4)
        outcome = run("run", self.file("m.bpmn", model.replace("LIMIT", "5000")), "--vars", '{"n": 0}')
        self.assertEqual(outcome.code, 3, outcome)
        self.assertIn("continued as new 1000 times", outcome.err)

    def test_a_trace_of_a_loop_shows_the_first_iterations_and_counts_all(self):
        loop = str(ORDER.parent / "multi-instance" / "cardinality.bpmn")
        lines = [line.split(None, 2)[1:] for line in run("run", loop, "--vars", '{"copies": 9}').out.splitlines()
                 if "label" in line.lower() and line.startswith(" ")]
        self.assertEqual(lines, [
            ["starts", "Labels for copies  process"],
            ["loops", "Write a label  9 iterations; the first 3 are shown"],
            ["done", "Write a label #1  script task"],
            ["done", "Write a label #2  script task"],
            ["done", "Write a label #3  script task"],
            ["leaves", "Write a label  loop, 9 iterations done"],
            ["completes", "Labels for copies"],
            ["=", json.dumps([f"copy {i}" for i in range(1, 10)], separators=(",", ":"))],
        ])

    def test_the_limit_of_iterations_can_be_set_M16(self):
        loop = str(ORDER.parent / "multi-instance" / "cardinality.bpmn")
        three = ("--vars", '{"copies": 3}')
        self.assertEqual(self.run_json(loop, *three, "--max-iterations", "3")[0], 0)
        for where in ((), ("--data", f"{self.folder}/data")):
            code, answer = self.run_json(loop, *three, "--max-iterations", "2", *where)
            self.assertEqual((code, answer["state"], answer["path"]), (3, "incident", ["start"]))
            self.assertIn("must give at most 2 (the limit of iterations), but gave", answer["incidents"][0]["message"])
        for wrong in ("0", "many", "100000001"):
            outcome = run("run", loop, "--max-iterations", wrong)
            self.assertEqual(outcome.code, 1, outcome)
            self.assertIn("--max-iterations: expected a number from 1 to 100000000, not", outcome.err)

    def test_async_before_and_after_change_nothing_in_a_loop_C151_C152(self):
        # Camunda 7 makes jobs of its own for these, so that a step is durable. Here every step is.
        for how in ("", ' isSequential="true"'):
            model = models.process(
                '<startEvent id="start"/><task id="work" camunda:asyncBefore="true" camunda:asyncAfter="true">'
                f'<multiInstanceLoopCharacteristics{how} camunda:asyncBefore="true" camunda:exclusive="false">'
                '<loopCardinality>3</loopCardinality></multiInstanceLoopCharacteristics></task>'
                '<endEvent id="end"/><sequenceFlow id="f1" sourceRef="start" targetRef="work"/>'
                '<sequenceFlow id="f2" sourceRef="work" targetRef="end"/>',
            ).replace("targetNamespace", 'xmlns:camunda="http://camunda.org/schema/1.0/bpmn" targetNamespace')
            code, answer = self.run_json(self.file("m.bpmn", model), "--data", f"{self.folder}/data{len(how)}")
            self.assertEqual((code, answer["path"]), (0, ["start", "work", "work", "work", "work#body", "end"]))

    def test_two_hundred_nested_sub_processes_end(self):
        inner = "<startEvent id='s'/><endEvent id='e'/><sequenceFlow id='f' sourceRef='s' targetRef='e'/>"
        for i in range(200):
            inner = (f"<startEvent id='s{i}'/><subProcess id='n{i}'>{inner}</subProcess><endEvent id='e{i}'/>"
                     f"<sequenceFlow id='a{i}' sourceRef='s{i}' targetRef='n{i}'/>"
                     f"<sequenceFlow id='b{i}' sourceRef='n{i}' targetRef='e{i}'/>")
        model = ("<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='t'>"
                 f"<process id='deep' isExecutable='true'>{inner}</process></definitions>")
        code, answer = self.run_json(self.file("deep.bpmn", model))
        self.assertEqual((code, answer["state"]), (0, "completed"))
        self.assertEqual(len(answer["path"]), 602)

    def test_the_example_of_the_readme_ends_well(self):
        jobs = ['charge={"receipt": "R-1"}', "reserve={}", "pack={}", "ship={}"]
        words = [word for job in jobs for word in ("--job", job)]
        code, answer = self.run_json(str(ORDER / "order.bpmn"), "--vars", f"@{ORDER / 'order.json'}", *words)
        self.assertEqual((code, answer["state"]), (0, "completed"))
        self.assertEqual(answer["variables"]["total"], 129.8)
        self.assertIn("truck", answer["path"])
        self.assertNotIn("post", answer["path"])

    def test_a_declined_card_ends_the_example_in_its_own_way(self):
        code, answer = self.run_json(str(ORDER / "order.bpmn"), "--vars", f"@{ORDER / 'order.json'}",
                                     "--job", "charge=error:declined")
        self.assertEqual((code, answer["state"]), (0, "completed"))
        self.assertEqual(answer["path"][-2:], ["card_declined", "cancelled"])
        for ended in ("charge", "payment", "reserve", "fulfil"):
            self.assertNotIn(ended, answer["path"])

    def test_the_same_run_prints_the_same(self):
        words = ("run", str(ORDER / "order.bpmn"), "--vars", f"@{ORDER / 'order.json'}", "--trace",
                 "--job", 'charge={"receipt": "R-1"}', "--job", "reserve={}", "--job", "pack={}", "--job", "ship={}")
        first, second = run(*words), run(*words, environment={"TZ": "Asia/Tokyo", "LC_ALL": "C"})
        self.assertEqual(first.code, 0, first.err)
        self.assertEqual(first.out, second.out)
        self.assertIn("charge", first.out)


if __name__ == "__main__":
    unittest.main()
