#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The order example: first a declined card, then all goes well, with every event. $1 is the program, pawl by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
pawl=${1:-pawl}
PS4='$ '
set -x

"$pawl" run examples/order/order.bpmn --vars @examples/order/order.json --job charge='{}'

"$pawl" run examples/order/order.bpmn --vars @examples/order/order.json --trace \
  --job charge='={receipt: "R-" + orderId}' --job reserve='={reserved: count(items)}' \
  --job pack='{"packed": true}' --job ship='{"sent": true}'
