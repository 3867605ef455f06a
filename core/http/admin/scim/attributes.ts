/** An attribute of a resource: https://www.rfc-editor.org/rfc/rfc7643#section-7 */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'reference';
  readonly description: string;
  readonly multiValued?: true;
  readonly required?: true;
  /** Values that differ only in case are different. */
  readonly caseExact?: true;
  /** No two resources have the same value. */
  readonly unique?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  readonly canonicalValues?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

export interface ResourceType {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  ...more,
});

/** Every resource has it, and no schema lists it. */
const externalId = text('externalId', 'The id of the resource in the directory.', { caseExact: true });

/** The attributes that the gateway keeps. Others of the core schema are accepted and not stored. */
export const userType: ResourceType = {
  name: 'User',
  endpoint: '/Users',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:User',
  description: 'A person who can sign in and make keys.',
  attributes: [
    text('userName', 'The name with which the person signs in at the provider.', { required: true, unique: true }),
    text('displayName', 'The name of the person, for people.'),
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of the name of the person.',
      subAttributes: [
        text('formatted', 'The whole name.'),
        text('familyName', 'The family name.'),
        text('givenName', 'The given name.'),
      ],
    },
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the person can sign in and use keys. Default for a new user: true.',
    },
    {
      name: 'emails',
      type: 'complex',
      multiValued: true,
      description: 'E-mail addresses of the person.',
      subAttributes: [
        text('value', 'The address.'),
        text('type', 'What it is for.', { canonicalValues: ['work', 'home', 'other'] }),
        { name: 'primary', type: 'boolean', description: 'Whether it is the preferred address.' },
      ],
    },
  ],
};

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: '/Groups',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  description: 'A group of people.',
  attributes: [
    text('displayName', 'The name of the group. It can give a role: admin.scim.groupsGiveRoles.', { required: true }),
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      description: 'The users of the group.',
      subAttributes: [
        text('value', 'The id of the user.', { caseExact: true, mutability: 'immutable' }),
        {
          name: '$ref',
          type: 'reference',
          description: 'The address of the user.',
          caseExact: true,
          mutability: 'immutable',
          canonicalValues: ['User'],
        },
        text('type', 'User.', { mutability: 'immutable', canonicalValues: ['User'] }),
      ],
    },
  ],
};

const byName = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** Finds an attribute by its name in any case, as names of attributes are compared. */
export function findAttribute(attributes: readonly Attribute[], name: string): Attribute | undefined {
  const known = byName.get(attributes) ?? new Map(attributes.map((each) => [each.name.toLowerCase(), each]));
  byName.set(attributes, known);
  return known.get(name.toLowerCase());
}

const all = new Map([userType, groupType].map((type) => [type.name, [externalId, ...type.attributes]]));

/** The attributes that clients can set. */
export const attributesOf = ({ name }: ResourceType): readonly Attribute[] => all.get(name) ?? [];

/** Attributes of the core schema that the gateway does not keep. Directories send them nevertheless. */
const NOT_KEPT = new Set(
  (
    'id meta schemas groups nickname profileurl title usertype preferredlanguage locale timezone password ' +
    'phonenumbers ims photos addresses entitlements roles x509certificates'
  ).split(' '),
);

/** Whether an attribute is accepted and ignored: those of extensions, and those that the gateway does not keep. */
export const isIgnored = (name: string): boolean =>
  name.toLowerCase().startsWith('urn:') || NOT_KEPT.has(name.toLowerCase());
