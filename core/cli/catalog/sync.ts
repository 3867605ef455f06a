import { loadConfig, type LoadedConfig } from '../../config/load.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { createRedact } from '../../server/explain/redact.ts';
import { explainFailure } from '../../diagnostics/vendors/explain-failure.ts';
import { readOffer, type VendorOffer } from '../../diagnostics/vendors/list-models.ts';
import { openVendor, type Vendor } from '../../diagnostics/vendors/open-vendor.ts';
import { checkFormat, MisuseError, parseOperands, parseTimeout, unknownProvider } from '../command.ts';
import { syncOptions } from '../options/configuration.ts';
import { addModels } from './add-models.ts';
import { createProposal, type Proposal } from './propose.ts';
import { writeProposal } from './write-proposal.ts';

/** What the vendor offers to the first credential that is set. @throws MisuseError, GatewayError */
const readVendor = async (vendor: Vendor, timeout: number): Promise<VendorOffer> => {
  const { name, settings, instance } = vendor;
  const credential = instance.credentials.find(({ unavailable }) => unavailable === undefined);
  if (credential === undefined)
    throw new MisuseError(
      `The provider "${name}" cannot be called: ${instance.credentials[0]?.unavailable ?? 'it has no credentials'}.`,
    );
  const offer = await readOffer(vendor, credential.id, timeout).catch((thrown: unknown) => {
    const error = toGatewayError(thrown);
    const { message, advice } = explainFailure(error, settings);
    throw new GatewayError(error.code, `The models of ${name} cannot be listed: ${message} ${advice}`, {
      cause: error,
    });
  });
  if (offer === undefined) throw new MisuseError(`The provider "${name}" (${settings.use}) has no list of models.`);
  return offer;
};

const describeWritten = (file: string, { new: models }: Proposal): string =>
  models.length === 0
    ? `Nothing was added to ${file}.`
    : `Added to ${file}: ${models.map(({ model }) => model).join(', ')}.`;

const openNamed = async (loaded: LoadedConfig, provider: string): Promise<Vendor> => {
  const vendor = await openVendor(loaded, provider);
  if (vendor !== undefined) return vendor;
  throw unknownProvider(provider, Object.keys(loaded.config.providers));
};

/** `koine catalog sync`: the vendor's own list of models against the configuration. */
export async function syncCatalog(args: readonly string[], builtIns: BuiltIns): Promise<number> {
  const { values, positionals } = parseOperands(args, syncOptions);
  const { config: file, format, all, write } = values;
  const [provider, ...further] = positionals;
  if (provider === undefined || further.length > 0)
    throw new MisuseError('Name one provider: koine catalog sync PROVIDER.');
  checkFormat(format);
  const timeout = parseTimeout(values.timeout);
  const loaded = await loadConfig(file, builtIns, process.env);
  const vendor = await openNamed(loaded, provider);
  try {
    const { models } = await readVendor(vendor, timeout);
    const proposal = createRedact(loaded)(createProposal(loaded, provider, models, all));
    process.stdout.write(
      format === 'json' ? `${JSON.stringify(proposal, undefined, 2)}\n` : writeProposal(proposal, file),
    );
    if (write && proposal.new.length > 0) await addModels(file, proposal.new);
    if (write) console.error(describeWritten(file, proposal));
    return proposal.gone.length > 0 || (proposal.new.length > 0 && !write) ? 1 : 0;
  } finally {
    await vendor.close();
  }
}
