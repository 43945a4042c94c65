// SPDX-License-Identifier: Apache-2.0
// Small models, written as Camunda's modeler writes them, drawn in a line: process('id', start, job('type'), end).

const element = (tag, id, inside = '') => ({ id, xml: `<bpmn:${tag} id="${id}">${inside}</bpmn:${tag}>`, also: '' });
const extended = text => `<bpmn:extensionElements>${text}</bpmn:extensionElements>`;

export const start = element('startEvent', 'start');
export const end = element('endEvent', 'end');

export function job(type, { id = type, headers = {}, extra = '', loop = '', retries = 3 } = {}) {
  const pairs = Object.entries(headers).map(([key, value]) => `<zeebe:header key="${key}" value="${value}" />`);
  return element('serviceTask', id, extended(
    `<zeebe:taskDefinition type="${type}" retries="${retries}" /><zeebe:taskHeaders>${pairs.join('')}` +
    `</zeebe:taskHeaders>${extra}`) + loop);
}

export const each = (collection, item, results, result) =>
  `<bpmn:multiInstanceLoopCharacteristics>${extended(
    `<zeebe:loopCharacteristics inputCollection="=${collection}" inputElement="${item}" ` +
    `outputCollection="${results}" outputElement="=${result}" />`)}</bpmn:multiInstanceLoopCharacteristics>`;

export const message = (name, key) => ({
  ...element('intermediateCatchEvent', `await_${name}`, `<bpmn:messageEventDefinition messageRef="m_${name}" />`),
  also: `<bpmn:message id="m_${name}" name="${name}">${extended(`<zeebe:subscription correlationKey="=${key}" />`)}` +
    '</bpmn:message>',
});

export const signal = name => ({
  ...element('intermediateCatchEvent', `await_${name}`, `<bpmn:signalEventDefinition signalRef="s_${name}" />`),
  also: `<bpmn:signal id="s_${name}" name="${name}" />`,
});

export const timer = duration => element('intermediateCatchEvent', 'sleep',
  `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}` +
  '</bpmn:timeDuration></bpmn:timerEventDefinition>');

export const script = (expression, result) => element('scriptTask', `set_${result}`,
  extended(`<zeebe:script expression="=${expression}" resultVariable="${result}" />`));

// A task with an event at its border, which leads to a script and an end of its own.
function guarded(task, definition, instead, also = '') {
  const border = `<bpmn:boundaryEvent id="border" attachedToRef="${task.id}">${definition}</bpmn:boundaryEvent>`;
  const path = chain([{ id: 'border', xml: '' }, instead, element('endEvent', 'instead')]);
  return { ...task, also, beside: border + path };
}

export const unlessError = (task, code, instead) => guarded(task, '<bpmn:errorEventDefinition errorRef="err" />',
  instead, `<bpmn:error id="err" name="${code}" errorCode="${code}" />`);

export const unlessAfter = (task, duration, instead) => guarded(task,
  `<bpmn:timerEventDefinition><bpmn:timeDuration xsi:type="bpmn:tFormalExpression">${duration}</bpmn:timeDuration>` +
  '</bpmn:timerEventDefinition>', instead);

function chain(elements) {
  const flows = elements.slice(1).map((to, i) =>
    `<bpmn:sequenceFlow id="f_${elements[i].id}" sourceRef="${elements[i].id}" targetRef="${to.id}" />`);
  return elements.map(one => one.xml + (one.beside ?? '')).join('') + flows.join('');
}

export function process(id, ...elements) {
  return `<?xml version="1.0" encoding="UTF-8"?>
<bpmn:definitions xmlns:bpmn="http://www.omg.org/spec/BPMN/20100524/MODEL"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0"
  xmlns:modeler="http://camunda.org/schema/modeler/1.0" id="definitions" targetNamespace="http://bpmn.io/schema/bpmn"
  exporter="Camunda Modeler" exporterVersion="5.20.0" modeler:executionPlatform="Camunda Cloud"
  modeler:executionPlatformVersion="8.5.0">
${elements.map(one => one.also ?? '').join('')}
<bpmn:process id="${id}" isExecutable="true">${chain(elements)}</bpmn:process>
</bpmn:definitions>
`;
}
