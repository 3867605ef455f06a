import type { MatrixCase } from '../matrix-case.ts';
import { maxTokens, refusal, stopSequence } from './finish.ts';
import { hiddenReasoning } from './hidden-reasoning.ts';
import { document, images, looseDataUri } from './media.ts';
import { reasoning } from './reasoning.ts';
import { bothCaps, noCap, sampling, unspoken } from './sampling.ts';
import { hiddenTool, jsonSchema, namedFormat } from './structured-output.ts';
import { laterSystem, system } from './system.ts';
import { text } from './text.ts';
import { toolResults } from './tool-results.ts';
import { forcedCall, oneCall, parallelCalls } from './tools.ts';
import { unicode } from './unicode.ts';
import { cachedUsage, cacheMarks } from './usage.ts';

export const cases: readonly MatrixCase[] = [
  text,
  unicode,
  system,
  laterSystem,
  sampling,
  unspoken,
  noCap,
  bothCaps,
  oneCall,
  parallelCalls,
  forcedCall,
  toolResults,
  images,
  looseDataUri,
  document,
  reasoning,
  hiddenReasoning,
  jsonSchema,
  namedFormat,
  hiddenTool,
  stopSequence,
  maxTokens,
  refusal,
  cachedUsage,
  cacheMarks,
];
