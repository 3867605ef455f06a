import type { GenerateRequest } from '../../../../core/api/index.ts';
import { isObject, type InboundRequest, type NativePlan, type TargetProfile } from '../../../../core/api/codec.ts';
import { resourceName } from '../../resource-name.ts';
import { unsealContents } from './request/sealed-proofs.ts';
import { createTap } from './response/tap.ts';

/**
 * The client's bytes. The path has the model and the stream flag, so only sealed proofs are edited: unsealed for their
 * own provider, removed for any other.
 */
export function native(
  { body }: InboundRequest,
  _request: GenerateRequest,
  { origin, model, billsOneSearch }: TargetProfile,
): NativePlan {
  const members = isObject(body) ? body : {};
  const contents = unsealContents(members['contents'], origin);
  return {
    edits: [
      ...(contents === undefined ? [] : [{ member: 'contents', value: contents }]),
      ...('model' in members ? [{ member: 'model', value: resourceName(model) }] : []),
    ],
    headers: {},
    tap: () => createTap(billsOneSearch),
  };
}
