import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { Credential, UpstreamLimit } from '../../contracts/extension.ts';
import { toGatewayError, type GatewayError } from '../../errors/gateway-error.ts';
import { compareOffer } from './compare-offer.ts';
import { explainFailure, type ExplainedFailure } from './explain-failure.ts';
import { generateOnce } from './generate-once.ts';
import { firstWireOf, readOffer } from './list-models.ts';
import type { Vendor } from './open-vendor.ts';

/** What a credential may use of the models of the configuration. */
export interface UsableModels {
  /** How many models the vendor lists for the credential. */
  readonly listed: number;
  /** Names in targets of the configuration that are in the list, and those that are not. */
  readonly available: readonly string[];
  readonly missing: readonly string[];
  readonly ending: readonly { readonly name: string; readonly ends: string }[];
}

/** One credential, after it was used once. */
export interface ExaminedCredential {
  readonly credential: string;
  /**
   * `unset`: there is no credential to use. `unchecked`: no call shows whether it works, which `reason` explains.
   */
  readonly status: 'works' | 'failed' | 'unset' | 'unchecked';
  /** The call that showed it. */
  readonly check?: 'models' | 'generation';
  /** The model of the generation. */
  readonly model?: string;
  readonly ms?: number;
  readonly models?: UsableModels;
  /** What the vendor reported in headers. */
  readonly limits?: readonly UpstreamLimit[];
  readonly reason?: string;
  readonly failure?: ExplainedFailure;
}

export interface ExamineOptions {
  /** Also generate a few tokens, which the vendor charges for. */
  readonly generate: boolean;
  /** Milliseconds for each call. */
  readonly timeout: number;
}

type Findings = Omit<ExaminedCredential, 'credential'>;

const sinceNow = (): (() => number) => {
  const start = performance.now();
  return () => Math.round(performance.now() - start);
};

/**
 * A vendor may refuse the list alone: for a key with restricted rights, or because the server has none. That does not
 * show whether the credential works.
 */
const isAboutList = ({ vendor, failure }: GatewayError): boolean =>
  vendor !== undefined && (failure === 'caller-fault' || failure === 'model-gone');

const checkList = async (vendor: Vendor, credential: string, { timeout }: ExamineOptions): Promise<Findings> => {
  const elapsed = sinceNow();
  try {
    const offer = await readOffer(vendor, credential, timeout);
    if (offer === undefined)
      return { status: 'unchecked', reason: 'The provider has no list of models. --generate checks by a generation.' };
    const { offered, gone, ending } = compareOffer(offer.models, vendor.models);
    const models = { listed: offer.models.length, available: offered, missing: gone, ending };
    return { status: 'works', check: 'models', ms: elapsed(), models, limits: offer.limits };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    const failure = explainFailure(error, vendor.settings);
    if (!isAboutList(error)) return { status: 'failed', check: 'models', ms: elapsed(), failure };
    const reason = `The vendor refuses the list of models (${failure.status}). --generate checks by a generation.`;
    return { status: 'unchecked', check: 'models', ms: elapsed(), reason, failure };
  }
};

const checkGeneration = async (vendor: Vendor, credential: string, { timeout }: ExamineOptions): Promise<Findings> => {
  const elapsed = sinceNow();
  try {
    const generation = await generateOnce(vendor, credential, timeout);
    if (generation === undefined)
      return { status: 'unchecked', reason: 'The configuration has no model of this provider that generates.' };
    return { status: 'works', check: 'generation', ms: elapsed(), ...generation };
  } catch (thrown) {
    const failure = explainFailure(toGatewayError(thrown), vendor.settings);
    return { status: 'failed', check: 'generation', ms: elapsed(), failure };
  }
};

/** A generation shows more than the list; what only the list shows is kept. */
const join = (list: Findings, generation: Findings): Findings =>
  generation.status === 'unchecked'
    ? list
    : omitUndefined({
        ...generation,
        models: list.models,
        limits: (generation.limits ?? []).length > 0 ? generation.limits : list.limits,
      });

const examineCredential = async (
  vendor: Vendor,
  { id, unavailable }: Credential,
  options: ExamineOptions,
): Promise<ExaminedCredential> => {
  if (unavailable !== undefined) return { credential: id, status: 'unset', reason: unavailable };
  // What responds within the process costs nothing.
  const isFree = firstWireOf(vendor)?.send !== undefined;
  const list = await checkList(vendor, id, options);
  const isOver = list.status === 'failed' || !(options.generate || isFree);
  return { credential: id, ...(isOver ? list : join(list, await checkGeneration(vendor, id, options))) };
};

/** Uses each credential of a provider once, one after the other. */
export async function examineVendor(vendor: Vendor, options: ExamineOptions): Promise<readonly ExaminedCredential[]> {
  const examined: ExaminedCredential[] = [];
  for (const credential of vendor.instance.credentials)
    examined.push(await examineCredential(vendor, credential, options));
  return examined;
}
