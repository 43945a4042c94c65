// SPDX-License-Identifier: Apache-2.0
// A worker for order.bpmn with zeebe-node: node worker.mjs [ADDRESS]
import { ZBClient } from 'zeebe-node';

const client = new ZBClient(process.argv[2] ?? '127.0.0.1:26500', { loglevel: 'NONE' });
const prices = { pen: 2, book: 30, desk: 250 };

client.createWorker({
  taskType: 'price-item',
  taskHandler: job => job.complete({ price: prices[job.variables.sku] * job.variables.count }),
});

client.createWorker({
  taskType: 'charge-card',
  taskHandler: job => job.variables.card === 'empty'
    ? job.error('card-declined', 'there is no money on it')
    : job.complete({ receipt: `R-${job.variables.orderId}-${job.variables.amount}` }),
});

console.log('working: price-item, charge-card');
