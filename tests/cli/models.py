# SPDX-License-Identifier: Apache-2.0
"""Small models for the black-box tests."""

HEAD = ('<?xml version="1.0" encoding="UTF-8"?>\n'
        '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="pawl:test" id="d">\n')


def process(content, name="p"):
    return f'{HEAD}<process id="{name}" isExecutable="true">\n{content}\n</process>\n</definitions>\n'


def script_process(script):
    """start, one script task with this JavaScript, end."""
    return process('<startEvent id="start"/>\n'
                   f'<scriptTask id="work" scriptFormat="javascript"><script><![CDATA[{script}]]></script></scriptTask>\n'
                   '<endEvent id="end"/>\n'
                   '<sequenceFlow id="f1" sourceRef="start" targetRef="work"/>\n'
                   '<sequenceFlow id="f2" sourceRef="work" targetRef="end"/>')


EMPTY = process('<startEvent id="start"/>\n<endEvent id="end"/>\n'
                '<sequenceFlow id="f1" sourceRef="start" targetRef="end"/>')

# The flow leads to an element that does not exist.
LOST_FLOW = process('<startEvent id="start"/>\n<sequenceFlow id="f1" sourceRef="start" targetRef="nowhere"/>')

# A message that nobody sends.
WAITING = (HEAD + '<message id="m" name="paid"/>\n<process id="p" isExecutable="true">\n<startEvent id="start"/>\n'
           '<intermediateCatchEvent id="wait"><messageEventDefinition id="e" messageRef="m"/></intermediateCatchEvent>\n'
           '<endEvent id="end"/>\n<sequenceFlow id="f1" sourceRef="start" targetRef="wait"/>\n'
           '<sequenceFlow id="f2" sourceRef="wait" targetRef="end"/>\n</process>\n</definitions>\n')



def timed(events, end="<endEvent id='end'/>", extra="", flows=()):
    """start, a user task "ask", end; with these events beside it and a signal and a message to wait for."""
    lines = "".join(f"<sequenceFlow id='{a}-{b}' sourceRef='{a}' targetRef='{b}'/>"
                    for a, b in [("start", "ask"), ("ask", "end"), *flows])
    return (HEAD.replace("<definitions", "<definitions xmlns:pawl='http://pawl.dev/bpmn/1.0'") +
            "<message id='m' name='paid'/><signal id='g' name='stop'/>"
            f"<process id='p' isExecutable='true'><startEvent id='start'/><userTask id='ask'/>{end}{events}{extra}{lines}"
            "</process></definitions>")


def boundary(definition, interrupting=True):
    """A boundary event "event" on the task "ask"."""
    cancel = "true" if interrupting else "false"
    return f"<boundaryEvent id='event' attachedToRef='ask' cancelActivity='{cancel}'>{definition}</boundaryEvent>"


def handler(definition, interrupting=True):
    """An event sub-process "handler" with a start event "event" and an end event."""
    return (f"<subProcess id='handler' triggeredByEvent='true'><startEvent id='event' "
            f"isInterrupting='{'true' if interrupting else 'false'}'>{definition}</startEvent>"
            "<endEvent id='over'/><sequenceFlow id='event-over' sourceRef='event' targetRef='over'/></subProcess>")


AFTER_2H = "<timerEventDefinition><timeDuration>PT2H</timeDuration></timerEventDefinition>"
EVERY_HOUR = "<timerEventDefinition><timeCycle>R/PT1H</timeCycle></timerEventDefinition>"
ON_MESSAGE = "<messageEventDefinition messageRef='m'/>"
ON_ERROR = "<errorEventDefinition/>"
ON_SIGNAL = "<signalEventDefinition signalRef='g'/>"

# Never waits and never ends.
CIRCLE = process('<startEvent id="start"/><exclusiveGateway id="again"/><scriptTask id="work" name="count">'
                 '<extensionElements><zeebe:script xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" expression="=1" '
                 'resultVariable="n"/></extensionElements></scriptTask>'
                 '<sequenceFlow id="f1" sourceRef="start" targetRef="again"/>'
                 '<sequenceFlow id="f2" sourceRef="again" targetRef="work"/>'
                 '<sequenceFlow id="f3" sourceRef="work" targetRef="again"/>')

# A job without which nothing goes on.
JOB = process('<startEvent id="start"/>\n<serviceTask id="work"><extensionElements>'
              '<zeebe:taskDefinition xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" type="charge" retries="1"/>'
              '</extensionElements></serviceTask>\n<endEvent id="end"/>\n'
              '<sequenceFlow id="f1" sourceRef="start" targetRef="work"/>\n'
              '<sequenceFlow id="f2" sourceRef="work" targetRef="end"/>')


def deep(levels):
    """Sub-processes inside each other, `levels` deep."""
    opened = "".join(f'<subProcess id="s{level}">' for level in range(levels))
    return process(opened + "</subProcess>" * levels)


def entity_bomb():
    """Ten entities, each ten times the one before: 10 GB when expanded."""
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10))
    return (f'<?xml version="1.0"?>\n<!DOCTYPE definitions [<!ENTITY e0 "boom">{entities}]>\n'
            '<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL">&e9;</definitions>\n')
