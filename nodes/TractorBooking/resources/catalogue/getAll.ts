import { catalogueList } from '../../api/catalogue';
import { listOperation } from '../listOperation';

/** Catalogue > Get Many. */
export const getMany = listOperation(catalogueList);
