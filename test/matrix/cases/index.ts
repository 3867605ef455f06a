import type { MatrixCase } from '../matrix-case.ts';
import { blockedPrompt, maxTokens, refusal, safetyStop, stopSequence } from './finish.ts';
import { hiddenReasoning } from './hidden-reasoning.ts';
import { bytesAndAddresses, document, looseDataUri } from './media.ts';
import { reasoning } from './reasoning.ts';
import { bothCaps, noCap, sampling, unspoken } from './sampling.ts';
import { freeJson, hiddenTool, jsonSchema, namedFormat } from './structured-output.ts';
import { laterSystem, system } from './system.ts';
import { text } from './text.ts';
import { resultsInside, scatteredResults, toolResults } from './tool-results.ts';
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
  resultsInside,
  scatteredResults,
  bytesAndAddresses,
  looseDataUri,
  document,
  reasoning,
  hiddenReasoning,
  jsonSchema,
  namedFormat,
  hiddenTool,
  freeJson,
  stopSequence,
  maxTokens,
  refusal,
  safetyStop,
  blockedPrompt,
  cachedUsage,
  cacheMarks,
];
