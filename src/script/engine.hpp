// SPDX-License-Identifier: Apache-2.0
// Inside of the script module: the headers of SpiderMonkey that most files need.
#pragma once

#include <jsapi.h>

#include <js/CallAndConstruct.h>
#include <js/CompilationAndEvaluation.h>
#include <js/Conversions.h>
#include <js/Exception.h>
#include <js/Object.h>
#include <js/PropertyAndElement.h>
#include <js/RootingAPI.h>
#include <js/String.h>
#include <js/Value.h>
