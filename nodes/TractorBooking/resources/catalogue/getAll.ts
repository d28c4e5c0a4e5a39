import { catalogueList } from '../../api/pages/fetch';
import { listOperation } from '../listOperation';

/** Catalogue > Get Many. */
export const getMany = listOperation(catalogueList);
