import type { WireName } from '../../canonical/wire.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { TargetProfile } from '../../contracts/codec-context.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { completeCase, type RecordingCase } from './cases.ts';
import type { RecordedCall, SourceWire } from './source.ts';

const profileOf = (model: string, wire: WireName, traits: TargetProfile['traits'] = {}): TargetProfile => ({
  provider: model,
  model,
  wire,
  origin: { provider: model, family: '' },
  capabilities: {},
  traits,
});

/** Fields and file of a wire that takes forms. */
const createForm = (fields: object, file: Blob): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', file, `speech.${file.type.slice(file.type.indexOf('/') + 1)}`);
  return form;
};

/**
 * A case as the codec of the wire writes it.
 * @param model of cases that name none
 * @throws GatewayError `unsupported_parameter` for what the wire cannot express
 */
export function encodeCase(
  { registry }: LoadedConfig,
  { operation, wire }: SourceWire,
  model: string,
  recordingCase: RecordingCase,
  stream: boolean,
): RecordedCall {
  const { upstream, traits } = registry.codec(operation, wire) ?? {};
  if (upstream === undefined) throw new GatewayError('internal_error', `The codec of ${wire} has no upstream side.`);
  const named = recordingCase.model ?? model;
  const profile = profileOf(named, wire, traits);
  const { body, headers } = upstream.encodeRequest(completeCase(recordingCase, wire, stream), profile, () => {});
  const { file } = recordingCase;
  return {
    operation,
    wire,
    model: named,
    body: Buffer.from(JSON.stringify(body)),
    headers,
    stream,
    ...(upstream.takesForms === true && file !== undefined ? { form: createForm(body, file) } : {}),
  };
}
