// SPDX-License-Identifier: Apache-2.0
import { contract } from './contract.mjs';
import { open } from './zeebe_node.mjs';

contract('zeebe-node', open);
