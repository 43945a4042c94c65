// SPDX-License-Identifier: Apache-2.0
import { contract } from './contract.mjs';
import { open } from './sdk_rest.mjs';

contract('@camunda8/sdk over REST', open);
