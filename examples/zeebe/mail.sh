#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A worker for order.bpmn in shell: zbctl create worker send-mail --handler ./mail.sh --insecure
# The variables come in as JSON; what is printed, goes back.
order=$(sed -n 's/.*"orderId":"\([^"]*\)".*/\1/p')
printf '{"mail": "thank you for order %s"}\n' "$order"
