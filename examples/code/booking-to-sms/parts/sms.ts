/** The alphabet of SMS (GSM 03.38), and its signs that count twice. */
const BASIC =
	'@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const DOUBLE = '\f^{}\\[~]|€';

/** What a text takes: 160 characters an SMS, or 153 in each of several; with any other character 70, or 67. */
export function smsOf(text: string) {
	const others = [...new Set(text)].filter(
		(sign) => !BASIC.includes(sign) && !DOUBLE.includes(sign),
	);
	const double = [...text].filter((sign) => DOUBLE.includes(sign)).length;
	const length = others.length > 0 ? text.length : text.length + double;
	const [one, part] = others.length > 0 ? [70, 67] : [160, 153];
	return { length, others, parts: length <= one ? 1 : Math.ceil(length / part) };
}
