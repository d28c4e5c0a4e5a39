import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentials,
} from 'n8n-workflow';

import { TractorBookingApi } from '../../credentials/TractorBookingApi.credentials';
import { TractorBookingBearerApi } from '../../credentials/TractorBookingBearerApi.credentials';

const types: ICredentialType[] = [new TractorBookingApi(), new TractorBookingBearerApi()];

/** Decrypted credentials by type. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

/** What a node of a workflow carries: a reference for each credential. */
export function references(values: CredentialValues): INodeCredentials {
	return Object.fromEntries(Object.keys(values).map((type) => [type, { id: type, name: type }]));
}

/** n8n keeps credentials in its database; here they are given. As far as nodes reach it. */
export function storeOf(values: CredentialValues): Partial<ICredentialsHelper> {
	return {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: (type) => types.find(({ name }) => name === type)?.properties ?? [],
		preAuthentication: async () => await Promise.resolve(undefined),
		async authenticate(
			credentials: ICredentialDataDecryptedObject,
			typeName: string,
			request,
		): Promise<IHttpRequestOptions> {
			const authenticate = types.find(({ name }) => name === typeName)?.authenticate;
			if (typeof authenticate !== 'function') throw new Error(`${typeName} does not authenticate`);
			return await authenticate(credentials, request as IHttpRequestOptions);
		},
		async getDecrypted(_additionalData, _reference, type) {
			const value = values[type];
			if (!value) throw new Error(`The test gives no credential of type ${type}`);
			return await Promise.resolve({ ...value });
		},
	};
}
