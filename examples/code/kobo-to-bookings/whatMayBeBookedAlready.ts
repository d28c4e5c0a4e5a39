// What has been answered in this run is not asked again.
import { itemsOf, jsonOf } from '../items';
import { possibleDuplicates } from '../possibleDuplicates';

const open = jsonOf($input.all()).filter(({ bookingID }) => !bookingID);

export default itemsOf(possibleDuplicates(open, '_id', 'Submission'));
