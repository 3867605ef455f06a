import type { GenerateRequest } from '../../../../../core/api/index.ts';
import {
  type Lose,
  omitUndefined,
  readObject,
  type TargetProfile,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { mergeMembers, nestPath } from '../../../generate-content/extra-members.ts';
import { encodeTier } from '../../../settings.ts';
import { WIRE } from '../../shape.ts';
import { encodeConfig, encodeOutputFormat, loseUnsupported } from './config.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** `validated` is decoded as `auto`. It is restored if the model still has the choice. */
const restoreMode = (kept: unknown, choice: unknown): unknown =>
  choice === 'auto' ? (readObject(kept)['tool_choice'] ?? choice) : choice;

/** https://ai.google.dev/api/interactions-api */
export function encodeRequest(request: GenerateRequest, { model }: TargetProfile, lose: Lose) {
  const {
    generation_config: kept,
    response_format: formats,
    ...extra
  } = nestPath(writeExtraMembers(request.extra, WIRE, lose), 'generation_config');
  const { system, steps } = encodeTurns(request, lose);
  const { tools, choice } = encodeTools(request, lose);
  loseUnsupported(request, lose);
  const body = omitUndefined({
    [request.agent === true ? 'agent' : 'model']: model,
    ...extra,
    input: steps,
    system_instruction: system,
    tools,
    generation_config: mergeMembers(kept, encodeConfig(request, restoreMode(kept, choice), lose)),
    ...encodeOutputFormat(request.output, formats, lose),
    service_tier: encodeTier(request, WIRE, lose),
    // The vendor stores by default. Only a client of its own wire means that by silence.
    store: request.store ?? (request.wire === WIRE ? undefined : false),
    // Some servers of this wire stream by default.
    stream: request.stream,
  });
  return { body, headers: {} };
}
