# SPDX-License-Identifier: Apache-2.0
"""Models of a few lines, and of very many."""

ZEEBE = 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"'


def definitions(inner, extra=ZEEBE):
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<definitions '
            f'xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" {extra} '
            f'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" targetNamespace="t">\n{inner}\n</definitions>')


def process(inner, name="p"):
    return definitions(f'<process id="{name}" isExecutable="true">\n{inner}\n</process>')


def plain(inner, name="p"):
    return definitions(f'<process id="{name}" isExecutable="true">\n{inner}\n</process>', "")


class Flows:
    """Numbers sequence flows."""

    def __init__(self):
        self.count = 0

    def __call__(self, *places):
        text = []
        for source, target in zip(places, places[1:]):
            self.count += 1
            text.append(f'<sequenceFlow id="flow{self.count}" sourceRef="{source}" targetRef="{target}"/>')
        return "\n".join(text)


START, END = '<startEvent id="s"/>', '<endEvent id="e"/>'


def tasks(*names, kind="task"):
    return "\n".join(f'<{kind} id="{name}"/>' for name in names)


def extended(kind, name, inside, after=""):
    return (f'<{kind} id="{name}"><extensionElements>{inside}</extensionElements>{after}</{kind}>')


def feel_script(name, expression, result="r"):
    return extended("scriptTask", name, f'<zeebe:script expression="{expression}" resultVariable="{result}"/>')


def javascript(name, source):
    return f'<scriptTask id="{name}" scriptFormat="javascript"><script><![CDATA[{source}]]></script></scriptTask>'


def mapped(name, kind="task", inputs=(), outputs=(), more=""):
    io = "".join(f'<zeebe:input source="{source}" target="{target}"/>' for source, target in inputs)
    io += "".join(f'<zeebe:output source="{source}" target="{target}"/>' for source, target in outputs)
    return extended(kind, name, f"{more}<zeebe:ioMapping>{io}</zeebe:ioMapping>")


def job(name, type_="work", after=""):
    return extended("serviceTask", name, f'<zeebe:taskDefinition type="{type_}"/>', after)


def loop(collection, element="", output="", sequential=False, condition=""):
    out = f' outputCollection="{output[0]}" outputElement="{output[1]}"' if output else ""
    return (f'<multiInstanceLoopCharacteristics isSequential="{str(sequential).lower()}"><extensionElements>'
            f'<zeebe:loopCharacteristics inputCollection="{collection}" inputElement="{element}"{out}/>'
            f'</extensionElements>'
            + (f'<completionCondition xsi:type="tFormalExpression">{condition}</completionCondition>' if condition else "")
            + '</multiInstanceLoopCharacteristics>')


def chain(count, name="p"):
    flow = Flows()
    names = [f"t{i}" for i in range(count)]
    return process(START + END + tasks(*names) + flow("s", *names, "e"), name)


def circle(inner_elements, *names, name="p", dialect=process):
    """start → names → names …"""
    flow = Flows()
    return dialect(START + inner_elements + flow("s", *names, names[0]), name)
