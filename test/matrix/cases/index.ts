import type { MatrixCase } from '../matrix-case.ts';
import { blockedPrompt, maxTokens, refusal, safetyStop, stopSequence } from './finish.ts';
import { hiddenReasoning } from './hidden-reasoning.ts';
import { logprobs } from './logprobs.ts';
import { bytesAndAddresses, document, looseDataUri } from './media.ts';
import { reasoning, thinkingOnly } from './reasoning.ts';
import { bothCaps, noCap, sampling, unspoken } from './sampling.ts';
import { freeJson, hiddenTool, jsonSchema, namedFormat, unnamedJson } from './structured-output.ts';
import { laterSystem, system } from './system.ts';
import { text } from './text.ts';
import { noTool, oddName, someTools } from './tool-choice.ts';
import { resultsInside, scalarAndMissing, scatteredResults, toolResults } from './tool-results.ts';
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
  logprobs,
  oneCall,
  parallelCalls,
  forcedCall,
  someTools,
  noTool,
  oddName,
  toolResults,
  resultsInside,
  scatteredResults,
  scalarAndMissing,
  bytesAndAddresses,
  looseDataUri,
  document,
  reasoning,
  thinkingOnly,
  hiddenReasoning,
  jsonSchema,
  namedFormat,
  hiddenTool,
  freeJson,
  unnamedJson,
  stopSequence,
  maxTokens,
  refusal,
  safetyStop,
  blockedPrompt,
  cachedUsage,
  cacheMarks,
];
