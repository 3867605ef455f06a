import type { GenerateRequest, Headers, JsonObject } from '../../../../../core/api/index.ts';
import {
  type Lose,
  omitUndefined,
  readObject,
  type TargetProfile,
  writeExtraMembers,
} from '../../../../../core/api/codec.ts';
import { mergeMembers, nestPath } from '../../../generate-content/extra-members.ts';
import { encodeTier } from '../../../service-tier.ts';
import { WIRE } from '../../shape.ts';
import { encodeConfig, loseUnsupported } from './config.ts';
import { encodeOutputFormat } from './output-format.ts';
import { encodeTools } from './tools.ts';
import { encodeTurns } from './turns.ts';

/** The vendor stores by default. Only a client of its own wire means that by silence. */
const encodeStore = ({ store, wire }: GenerateRequest): boolean | undefined =>
  store ?? (wire === WIRE ? undefined : false);

/** `validated` is decoded as `auto`. It is restored if the model still has the choice. */
const restoreMode = (kept: unknown, choice: unknown): unknown =>
  choice === 'auto' ? (readObject(kept)['tool_choice'] ?? choice) : choice;

/** https://ai.google.dev/api/interactions-api */
export function encodeRequest(
  request: GenerateRequest,
  { model }: TargetProfile,
  lose: Lose,
): { readonly body: JsonObject; readonly headers: Headers } {
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
    store: encodeStore(request),
    // Some servers of this wire stream by default.
    stream: request.stream,
  });
  return { body, headers: {} };
}
