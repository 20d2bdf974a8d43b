// A worker that also searches and solves.

import * as glue from "../library/krou.js";
import { answerWith } from "./worker.js";

answerWith(glue);
