import { vendorOfModel } from '../shared/vendors.ts';

/** Splits `groq/llama-3.3-70b` into vendor and model. The vendor can be unknown. */
export function splitModel(
  written: string,
  stated: string | undefined,
): readonly [vendor: string | undefined, model: string] {
  const slash = written.indexOf('/');
  const prefix = written.slice(0, Math.max(slash, 0));
  const [, api = ''] = /^bedrock\/(converse|invoke)\//.exec(written) ?? [];
  // The provider chooses the API of a model by itself.
  if (api !== '') return ['bedrock', written.slice(`bedrock/${api}/`.length)];
  if (stated !== undefined) return [stated, prefix === stated ? written.slice(slash + 1) : written];
  return slash > 0 ? [prefix, written.slice(slash + 1)] : [vendorOfModel(written), written];
}
