import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentials,
} from 'n8n-workflow';
import { ICredentialsHelper } from 'n8n-workflow';

import { TractorBookingApi } from '../../credentials/TractorBookingApi.credentials';
import { TractorBookingBearerApi } from '../../credentials/TractorBookingBearerApi.credentials';

const types: ICredentialType[] = [new TractorBookingApi(), new TractorBookingBearerApi()];

/** Decrypted credentials by type. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

/** What a node of a workflow carries: a reference for each credential. */
export function references(values: CredentialValues): INodeCredentials {
	return Object.fromEntries(Object.keys(values).map((type) => [type, { id: type, name: type }]));
}

/** n8n keeps credentials in its database; here they are given. */
export class TestCredentials extends ICredentialsHelper {
	constructor(private readonly values: CredentialValues) {
		super();
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const authenticate = types.find(({ name }) => name === typeName)?.authenticate;
		if (typeof authenticate !== 'function') throw new Error(`${typeName} does not authenticate`);
		return await authenticate(credentials, request);
	}

	async preAuthentication(): Promise<undefined> {}

	async runPreAuthentication(): Promise<undefined> {}

	async getDecrypted(
		_additionalData: unknown,
		_reference: unknown,
		type: string,
	): Promise<ICredentialDataDecryptedObject> {
		const value = this.values[type];
		if (!value) throw new Error(`The test gives no credential of type ${type}`);
		return { ...value };
	}

	async getCredentials(): Promise<never> {
		throw new Error('Tests give decrypted credentials only');
	}

	async updateCredentials(): Promise<void> {}

	async updateCredentialsOauthTokenData(): Promise<void> {}

	getCredentialsProperties(type: string) {
		return types.find(({ name }) => name === type)?.properties ?? [];
	}
}
