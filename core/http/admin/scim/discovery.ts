import { groupType, userType, type Attribute, type ResourceType } from './attributes.ts';

/** Entries of one page of a list. */
export const MAX_PAGE = 100;

const types = [userType, groupType];
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0';

const describeAttribute = (attribute: Attribute): object => {
  const isText = attribute.type === 'string' || attribute.type === 'reference';
  const values = attribute.canonicalValues;
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued === true,
    description: attribute.description,
    required: attribute.required === true,
    ...(isText ? { caseExact: attribute.caseExact === true } : {}),
    mutability: attribute.mutability ?? 'readWrite',
    returned: 'default',
    ...(isText ? { uniqueness: attribute.unique === true ? 'server' : 'none' } : {}),
    ...(values === undefined
      ? {}
      : { [attribute.type === 'reference' ? 'referenceTypes' : 'canonicalValues']: values }),
    ...(attribute.subAttributes === undefined ? {} : { subAttributes: attribute.subAttributes.map(describeAttribute) }),
  };
};

const describeType = (base: string, { name, endpoint, schema, description }: ResourceType) => ({
  schemas: [`${SCHEMA}:ResourceType`],
  id: name,
  name,
  endpoint,
  description,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
});

const describeSchema = (base: string, { name, schema, description, attributes }: ResourceType) => ({
  schemas: [`${SCHEMA}:Schema`],
  id: schema,
  name,
  description,
  attributes: attributes.map(describeAttribute),
  meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
});

const describeProvider = (base: string): object => ({
  schemas: [`${SCHEMA}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_PAGE },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of admin.scim.token in the header Authorization: Bearer.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** A list of resources, or one page of it: https://www.rfc-editor.org/rfc/rfc7644#section-3.4.2 */
export const describeList = (resources: readonly object[], total = resources.length, startIndex = 1): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  itemsPerPage: resources.length,
  startIndex,
  Resources: resources,
});

/** The paths of the discovery endpoints, which accept only GET. */
export const discoveryPaths: readonly string[] = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas'];

/**
 * What the gateway supports: https://www.rfc-editor.org/rfc/rfc7644#section-4
 * @param path one of {@link discoveryPaths}
 * @param id of a resource type or a schema
 * @returns undefined if there is none
 */
export function discover(base: string, path: string, id: string | undefined): object | undefined {
  if (path === 'ServiceProviderConfig') return id === undefined ? describeProvider(base) : undefined;
  const found =
    path === 'ResourceTypes'
      ? types.map((type) => describeType(base, type))
      : types.map((type) => describeSchema(base, type));
  return id === undefined ? describeList(found) : found.find((each) => each.id === id);
}
