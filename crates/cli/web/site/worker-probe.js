// A worker that plays by the rules and probes.

import * as glue from "../library/krou-probe.js";
import { answerWith } from "./worker.js";

answerWith(glue);
