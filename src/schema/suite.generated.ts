// @ts-nocheck
/** Generated from a schema by `npm run generate`. Do not edit. */
import { boundedPattern, longerThan } from '../base/syntax.ts';
import { formats } from './formats.ts';
import type { CompiledSchema } from './validate.ts';

"use strict";
export const compiled = validate10;
const schema11 = {"type":"object","additionalProperties":false,"required":["apiVersion","kind","tests"],"properties":{"apiVersion":{"const":"muster/v1alpha1"},"kind":{"const":"MusterTest"},"config":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"objects":{"type":"object"},"defaults":{"type":"object","additionalProperties":false,"required":[],"properties":{"check":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"deleted":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"state":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"clusters":{"type":"object","maxProperties":1000,"additionalProperties":{"type":"object","additionalProperties":false,"required":[],"properties":{"check":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"deleted":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"state":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]}}}},"as":{"type":"string","minLength":1},"asGroup":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"subresource":{"enum":["none","status"]},"now":{"type":"string","minLength":1,"format":"date-time"},"point":{"enum":["webhook","check","scan"]},"view":{"enum":["live","files"]}}},"tests":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","expect"],"properties":{"name":{"type":"string","minLength":1},"check":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"deleted":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"state":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"clusters":{"type":"object","maxProperties":1000,"additionalProperties":{"type":"object","additionalProperties":false,"required":[],"properties":{"check":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"deleted":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]},"state":{"anyOf":[{"type":"string","minLength":1},{"type":"object"},{"type":"array","items":{"anyOf":[{"type":"string","minLength":1},{"type":"object"}]},"minItems":0,"maxItems":1000}]}}}},"as":{"type":"string","minLength":1},"asGroup":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"subresource":{"enum":["none","status"]},"now":{"type":"string","minLength":1,"format":"date-time"},"point":{"enum":["webhook","check","scan"]},"view":{"enum":["live","files"]},"expect":{"anyOf":[{"enum":["allowed","denied","indeterminate"]},{"type":"object","additionalProperties":false,"required":["verdict"],"properties":{"verdict":{"enum":["allowed","denied","indeterminate"]},"rules":{"anyOf":[{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},{"type":"object","additionalProperties":false,"required":[],"properties":{"include":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"exclude":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000}},"minProperties":1}]},"warnings":{"anyOf":[{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},{"type":"object","additionalProperties":false,"required":[],"properties":{"include":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"exclude":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000}},"minProperties":1}]},"audits":{"anyOf":[{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},{"type":"object","additionalProperties":false,"required":[],"properties":{"include":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"exclude":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000}},"minProperties":1}]},"code":{"enum":[403,409,422,503]},"message":{"type":"string","minLength":1,"maxLength":1000}}},{"type":"array","items":{"type":"object","additionalProperties":false,"required":["object","verdict"],"properties":{"object":{"type":"string","minLength":1},"operation":{"enum":["CREATE","UPDATE","DELETE"]},"subresource":{"enum":["none","status"]},"cluster":{"type":"string","minLength":1},"verdict":{"enum":["allowed","denied","indeterminate"]},"rules":{"anyOf":[{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},{"type":"object","additionalProperties":false,"required":[],"properties":{"include":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"exclude":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000}},"minProperties":1}]},"warnings":{"anyOf":[{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},{"type":"object","additionalProperties":false,"required":[],"properties":{"include":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"exclude":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000}},"minProperties":1}]},"audits":{"anyOf":[{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},{"type":"object","additionalProperties":false,"required":[],"properties":{"include":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000},"exclude":{"type":"array","items":{"type":"string","minLength":1},"minItems":0,"maxItems":1000}},"minProperties":1}]},"code":{"enum":[403,409,422,503]},"message":{"type":"string","minLength":1,"maxLength":1000}}},"minItems":1,"maxItems":1000}]}}},"minItems":1,"maxItems":1000}}};
const func2 = Object.prototype.hasOwnProperty;
const formats0 = formats["date-time"];

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.apiVersion === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "apiVersion"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.kind === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "kind"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.tests === undefined){
const err2 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tests"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
for(const key0 in data){
if(!((((((key0 === "apiVersion") || (key0 === "kind")) || (key0 === "config")) || (key0 === "objects")) || (key0 === "defaults")) || (key0 === "tests"))){
const err3 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.apiVersion !== undefined){
if("muster/v1alpha1" !== data.apiVersion){
const err4 = {instancePath:instancePath+"/apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",params:{allowedValue: "muster/v1alpha1"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.kind !== undefined){
if("MusterTest" !== data.kind){
const err5 = {instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue: "MusterTest"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.config !== undefined){
let data2 = data.config;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(typeof data2 === "string"){
if(!longerThan(data2, 0)){
const err6 = {instancePath:instancePath+"/config",schemaPath:"#/properties/config/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/config",schemaPath:"#/properties/config/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const _errs8 = errors;
if(!(data2 && typeof data2 == "object" && !Array.isArray(data2))){
const err8 = {instancePath:instancePath+"/config",schemaPath:"#/properties/config/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
}
if(!valid1){
const err9 = {instancePath:instancePath+"/config",schemaPath:"#/properties/config/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
}
if(data.objects !== undefined){
let data3 = data.objects;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
const err10 = {instancePath:instancePath+"/objects",schemaPath:"#/properties/objects/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data.defaults !== undefined){
let data4 = data.defaults;
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
for(const key1 in data4){
if(!(func2.call(schema11.properties.defaults.properties, key1))){
const err11 = {instancePath:instancePath+"/defaults",schemaPath:"#/properties/defaults/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data4.check !== undefined){
let data5 = data4.check;
const _errs16 = errors;
let valid3 = false;
const _errs17 = errors;
if(typeof data5 === "string"){
if(!longerThan(data5, 0)){
const err12 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
else {
const err13 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
var _valid1 = _errs17 === errors;
valid3 = valid3 || _valid1;
if(!valid3){
const _errs19 = errors;
if(!(data5 && typeof data5 == "object" && !Array.isArray(data5))){
const err14 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
var _valid1 = _errs19 === errors;
valid3 = valid3 || _valid1;
if(!valid3){
const _errs21 = errors;
if(Array.isArray(data5)){
if(data5.length > 1000){
const err15 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data5.length < 0){
const err16 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
const len0 = data5.length;
for(let i0=0; i0<len0; i0++){
let data6 = data5[i0];
const _errs24 = errors;
let valid6 = false;
const _errs25 = errors;
if(typeof data6 === "string"){
if(!longerThan(data6, 0)){
const err17 = {instancePath:instancePath+"/defaults/check/" + i0,schemaPath:"#/properties/defaults/properties/check/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
else {
const err18 = {instancePath:instancePath+"/defaults/check/" + i0,schemaPath:"#/properties/defaults/properties/check/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid2 = _errs25 === errors;
valid6 = valid6 || _valid2;
if(!valid6){
const _errs27 = errors;
if(!(data6 && typeof data6 == "object" && !Array.isArray(data6))){
const err19 = {instancePath:instancePath+"/defaults/check/" + i0,schemaPath:"#/properties/defaults/properties/check/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
var _valid2 = _errs27 === errors;
valid6 = valid6 || _valid2;
}
if(!valid6){
const err20 = {instancePath:instancePath+"/defaults/check/" + i0,schemaPath:"#/properties/defaults/properties/check/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
else {
errors = _errs24;
if(vErrors !== null){
if(_errs24){
vErrors.length = _errs24;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err21 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
var _valid1 = _errs21 === errors;
valid3 = valid3 || _valid1;
}
}
if(!valid3){
const err22 = {instancePath:instancePath+"/defaults/check",schemaPath:"#/properties/defaults/properties/check/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
else {
errors = _errs16;
if(vErrors !== null){
if(_errs16){
vErrors.length = _errs16;
}
else {
vErrors = null;
}
}
}
}
if(data4.deleted !== undefined){
let data7 = data4.deleted;
const _errs30 = errors;
let valid7 = false;
const _errs31 = errors;
if(typeof data7 === "string"){
if(!longerThan(data7, 0)){
const err23 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
else {
const err24 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
var _valid3 = _errs31 === errors;
valid7 = valid7 || _valid3;
if(!valid7){
const _errs33 = errors;
if(!(data7 && typeof data7 == "object" && !Array.isArray(data7))){
const err25 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
var _valid3 = _errs33 === errors;
valid7 = valid7 || _valid3;
if(!valid7){
const _errs35 = errors;
if(Array.isArray(data7)){
if(data7.length > 1000){
const err26 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
if(data7.length < 0){
const err27 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
const len1 = data7.length;
for(let i1=0; i1<len1; i1++){
let data8 = data7[i1];
const _errs38 = errors;
let valid10 = false;
const _errs39 = errors;
if(typeof data8 === "string"){
if(!longerThan(data8, 0)){
const err28 = {instancePath:instancePath+"/defaults/deleted/" + i1,schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
else {
const err29 = {instancePath:instancePath+"/defaults/deleted/" + i1,schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
var _valid4 = _errs39 === errors;
valid10 = valid10 || _valid4;
if(!valid10){
const _errs41 = errors;
if(!(data8 && typeof data8 == "object" && !Array.isArray(data8))){
const err30 = {instancePath:instancePath+"/defaults/deleted/" + i1,schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
var _valid4 = _errs41 === errors;
valid10 = valid10 || _valid4;
}
if(!valid10){
const err31 = {instancePath:instancePath+"/defaults/deleted/" + i1,schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
else {
errors = _errs38;
if(vErrors !== null){
if(_errs38){
vErrors.length = _errs38;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err32 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
var _valid3 = _errs35 === errors;
valid7 = valid7 || _valid3;
}
}
if(!valid7){
const err33 = {instancePath:instancePath+"/defaults/deleted",schemaPath:"#/properties/defaults/properties/deleted/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err33];
}
else {
vErrors.push(err33);
}
errors++;
}
else {
errors = _errs30;
if(vErrors !== null){
if(_errs30){
vErrors.length = _errs30;
}
else {
vErrors = null;
}
}
}
}
if(data4.state !== undefined){
let data9 = data4.state;
const _errs44 = errors;
let valid11 = false;
const _errs45 = errors;
if(typeof data9 === "string"){
if(!longerThan(data9, 0)){
const err34 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err34];
}
else {
vErrors.push(err34);
}
errors++;
}
}
else {
const err35 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err35];
}
else {
vErrors.push(err35);
}
errors++;
}
var _valid5 = _errs45 === errors;
valid11 = valid11 || _valid5;
if(!valid11){
const _errs47 = errors;
if(!(data9 && typeof data9 == "object" && !Array.isArray(data9))){
const err36 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err36];
}
else {
vErrors.push(err36);
}
errors++;
}
var _valid5 = _errs47 === errors;
valid11 = valid11 || _valid5;
if(!valid11){
const _errs49 = errors;
if(Array.isArray(data9)){
if(data9.length > 1000){
const err37 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err37];
}
else {
vErrors.push(err37);
}
errors++;
}
if(data9.length < 0){
const err38 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err38];
}
else {
vErrors.push(err38);
}
errors++;
}
const len2 = data9.length;
for(let i2=0; i2<len2; i2++){
let data10 = data9[i2];
const _errs52 = errors;
let valid14 = false;
const _errs53 = errors;
if(typeof data10 === "string"){
if(!longerThan(data10, 0)){
const err39 = {instancePath:instancePath+"/defaults/state/" + i2,schemaPath:"#/properties/defaults/properties/state/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err39];
}
else {
vErrors.push(err39);
}
errors++;
}
}
else {
const err40 = {instancePath:instancePath+"/defaults/state/" + i2,schemaPath:"#/properties/defaults/properties/state/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err40];
}
else {
vErrors.push(err40);
}
errors++;
}
var _valid6 = _errs53 === errors;
valid14 = valid14 || _valid6;
if(!valid14){
const _errs55 = errors;
if(!(data10 && typeof data10 == "object" && !Array.isArray(data10))){
const err41 = {instancePath:instancePath+"/defaults/state/" + i2,schemaPath:"#/properties/defaults/properties/state/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err41];
}
else {
vErrors.push(err41);
}
errors++;
}
var _valid6 = _errs55 === errors;
valid14 = valid14 || _valid6;
}
if(!valid14){
const err42 = {instancePath:instancePath+"/defaults/state/" + i2,schemaPath:"#/properties/defaults/properties/state/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err42];
}
else {
vErrors.push(err42);
}
errors++;
}
else {
errors = _errs52;
if(vErrors !== null){
if(_errs52){
vErrors.length = _errs52;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err43 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err43];
}
else {
vErrors.push(err43);
}
errors++;
}
var _valid5 = _errs49 === errors;
valid11 = valid11 || _valid5;
}
}
if(!valid11){
const err44 = {instancePath:instancePath+"/defaults/state",schemaPath:"#/properties/defaults/properties/state/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err44];
}
else {
vErrors.push(err44);
}
errors++;
}
else {
errors = _errs44;
if(vErrors !== null){
if(_errs44){
vErrors.length = _errs44;
}
else {
vErrors = null;
}
}
}
}
if(data4.clusters !== undefined){
let data11 = data4.clusters;
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
if(Object.keys(data11).length > 1000){
const err45 = {instancePath:instancePath+"/defaults/clusters",schemaPath:"#/properties/defaults/properties/clusters/maxProperties",keyword:"maxProperties",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err45];
}
else {
vErrors.push(err45);
}
errors++;
}
for(const key2 in data11){
let data12 = data11[key2];
if(data12 && typeof data12 == "object" && !Array.isArray(data12)){
for(const key3 in data12){
if(!(((key3 === "check") || (key3 === "deleted")) || (key3 === "state"))){
const err46 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err46];
}
else {
vErrors.push(err46);
}
errors++;
}
}
if(data12.check !== undefined){
let data13 = data12.check;
const _errs64 = errors;
let valid17 = false;
const _errs65 = errors;
if(typeof data13 === "string"){
if(!longerThan(data13, 0)){
const err47 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err47];
}
else {
vErrors.push(err47);
}
errors++;
}
}
else {
const err48 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err48];
}
else {
vErrors.push(err48);
}
errors++;
}
var _valid7 = _errs65 === errors;
valid17 = valid17 || _valid7;
if(!valid17){
const _errs67 = errors;
if(!(data13 && typeof data13 == "object" && !Array.isArray(data13))){
const err49 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err49];
}
else {
vErrors.push(err49);
}
errors++;
}
var _valid7 = _errs67 === errors;
valid17 = valid17 || _valid7;
if(!valid17){
const _errs69 = errors;
if(Array.isArray(data13)){
if(data13.length > 1000){
const err50 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err50];
}
else {
vErrors.push(err50);
}
errors++;
}
if(data13.length < 0){
const err51 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err51];
}
else {
vErrors.push(err51);
}
errors++;
}
const len3 = data13.length;
for(let i3=0; i3<len3; i3++){
let data14 = data13[i3];
const _errs72 = errors;
let valid20 = false;
const _errs73 = errors;
if(typeof data14 === "string"){
if(!longerThan(data14, 0)){
const err52 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i3,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err52];
}
else {
vErrors.push(err52);
}
errors++;
}
}
else {
const err53 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i3,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err53];
}
else {
vErrors.push(err53);
}
errors++;
}
var _valid8 = _errs73 === errors;
valid20 = valid20 || _valid8;
if(!valid20){
const _errs75 = errors;
if(!(data14 && typeof data14 == "object" && !Array.isArray(data14))){
const err54 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i3,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err54];
}
else {
vErrors.push(err54);
}
errors++;
}
var _valid8 = _errs75 === errors;
valid20 = valid20 || _valid8;
}
if(!valid20){
const err55 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i3,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err55];
}
else {
vErrors.push(err55);
}
errors++;
}
else {
errors = _errs72;
if(vErrors !== null){
if(_errs72){
vErrors.length = _errs72;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err56 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err56];
}
else {
vErrors.push(err56);
}
errors++;
}
var _valid7 = _errs69 === errors;
valid17 = valid17 || _valid7;
}
}
if(!valid17){
const err57 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/check/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err57];
}
else {
vErrors.push(err57);
}
errors++;
}
else {
errors = _errs64;
if(vErrors !== null){
if(_errs64){
vErrors.length = _errs64;
}
else {
vErrors = null;
}
}
}
}
if(data12.deleted !== undefined){
let data15 = data12.deleted;
const _errs78 = errors;
let valid21 = false;
const _errs79 = errors;
if(typeof data15 === "string"){
if(!longerThan(data15, 0)){
const err58 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err58];
}
else {
vErrors.push(err58);
}
errors++;
}
}
else {
const err59 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err59];
}
else {
vErrors.push(err59);
}
errors++;
}
var _valid9 = _errs79 === errors;
valid21 = valid21 || _valid9;
if(!valid21){
const _errs81 = errors;
if(!(data15 && typeof data15 == "object" && !Array.isArray(data15))){
const err60 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err60];
}
else {
vErrors.push(err60);
}
errors++;
}
var _valid9 = _errs81 === errors;
valid21 = valid21 || _valid9;
if(!valid21){
const _errs83 = errors;
if(Array.isArray(data15)){
if(data15.length > 1000){
const err61 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err61];
}
else {
vErrors.push(err61);
}
errors++;
}
if(data15.length < 0){
const err62 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err62];
}
else {
vErrors.push(err62);
}
errors++;
}
const len4 = data15.length;
for(let i4=0; i4<len4; i4++){
let data16 = data15[i4];
const _errs86 = errors;
let valid24 = false;
const _errs87 = errors;
if(typeof data16 === "string"){
if(!longerThan(data16, 0)){
const err63 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i4,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err63];
}
else {
vErrors.push(err63);
}
errors++;
}
}
else {
const err64 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i4,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err64];
}
else {
vErrors.push(err64);
}
errors++;
}
var _valid10 = _errs87 === errors;
valid24 = valid24 || _valid10;
if(!valid24){
const _errs89 = errors;
if(!(data16 && typeof data16 == "object" && !Array.isArray(data16))){
const err65 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i4,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err65];
}
else {
vErrors.push(err65);
}
errors++;
}
var _valid10 = _errs89 === errors;
valid24 = valid24 || _valid10;
}
if(!valid24){
const err66 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i4,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err66];
}
else {
vErrors.push(err66);
}
errors++;
}
else {
errors = _errs86;
if(vErrors !== null){
if(_errs86){
vErrors.length = _errs86;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err67 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err67];
}
else {
vErrors.push(err67);
}
errors++;
}
var _valid9 = _errs83 === errors;
valid21 = valid21 || _valid9;
}
}
if(!valid21){
const err68 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/deleted/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err68];
}
else {
vErrors.push(err68);
}
errors++;
}
else {
errors = _errs78;
if(vErrors !== null){
if(_errs78){
vErrors.length = _errs78;
}
else {
vErrors = null;
}
}
}
}
if(data12.state !== undefined){
let data17 = data12.state;
const _errs92 = errors;
let valid25 = false;
const _errs93 = errors;
if(typeof data17 === "string"){
if(!longerThan(data17, 0)){
const err69 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err69];
}
else {
vErrors.push(err69);
}
errors++;
}
}
else {
const err70 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err70];
}
else {
vErrors.push(err70);
}
errors++;
}
var _valid11 = _errs93 === errors;
valid25 = valid25 || _valid11;
if(!valid25){
const _errs95 = errors;
if(!(data17 && typeof data17 == "object" && !Array.isArray(data17))){
const err71 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err71];
}
else {
vErrors.push(err71);
}
errors++;
}
var _valid11 = _errs95 === errors;
valid25 = valid25 || _valid11;
if(!valid25){
const _errs97 = errors;
if(Array.isArray(data17)){
if(data17.length > 1000){
const err72 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err72];
}
else {
vErrors.push(err72);
}
errors++;
}
if(data17.length < 0){
const err73 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err73];
}
else {
vErrors.push(err73);
}
errors++;
}
const len5 = data17.length;
for(let i5=0; i5<len5; i5++){
let data18 = data17[i5];
const _errs100 = errors;
let valid28 = false;
const _errs101 = errors;
if(typeof data18 === "string"){
if(!longerThan(data18, 0)){
const err74 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i5,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err74];
}
else {
vErrors.push(err74);
}
errors++;
}
}
else {
const err75 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i5,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err75];
}
else {
vErrors.push(err75);
}
errors++;
}
var _valid12 = _errs101 === errors;
valid28 = valid28 || _valid12;
if(!valid28){
const _errs103 = errors;
if(!(data18 && typeof data18 == "object" && !Array.isArray(data18))){
const err76 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i5,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err76];
}
else {
vErrors.push(err76);
}
errors++;
}
var _valid12 = _errs103 === errors;
valid28 = valid28 || _valid12;
}
if(!valid28){
const err77 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i5,schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err77];
}
else {
vErrors.push(err77);
}
errors++;
}
else {
errors = _errs100;
if(vErrors !== null){
if(_errs100){
vErrors.length = _errs100;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err78 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err78];
}
else {
vErrors.push(err78);
}
errors++;
}
var _valid11 = _errs97 === errors;
valid25 = valid25 || _valid11;
}
}
if(!valid25){
const err79 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/properties/state/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err79];
}
else {
vErrors.push(err79);
}
errors++;
}
else {
errors = _errs92;
if(vErrors !== null){
if(_errs92){
vErrors.length = _errs92;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err80 = {instancePath:instancePath+"/defaults/clusters/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/defaults/properties/clusters/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err80];
}
else {
vErrors.push(err80);
}
errors++;
}
}
}
else {
const err81 = {instancePath:instancePath+"/defaults/clusters",schemaPath:"#/properties/defaults/properties/clusters/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err81];
}
else {
vErrors.push(err81);
}
errors++;
}
}
if(data4.as !== undefined){
let data19 = data4.as;
if(typeof data19 === "string"){
if(!longerThan(data19, 0)){
const err82 = {instancePath:instancePath+"/defaults/as",schemaPath:"#/properties/defaults/properties/as/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err82];
}
else {
vErrors.push(err82);
}
errors++;
}
}
else {
const err83 = {instancePath:instancePath+"/defaults/as",schemaPath:"#/properties/defaults/properties/as/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err83];
}
else {
vErrors.push(err83);
}
errors++;
}
}
if(data4.asGroup !== undefined){
let data20 = data4.asGroup;
if(Array.isArray(data20)){
if(data20.length > 1000){
const err84 = {instancePath:instancePath+"/defaults/asGroup",schemaPath:"#/properties/defaults/properties/asGroup/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err84];
}
else {
vErrors.push(err84);
}
errors++;
}
if(data20.length < 0){
const err85 = {instancePath:instancePath+"/defaults/asGroup",schemaPath:"#/properties/defaults/properties/asGroup/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err85];
}
else {
vErrors.push(err85);
}
errors++;
}
const len6 = data20.length;
for(let i6=0; i6<len6; i6++){
let data21 = data20[i6];
if(typeof data21 === "string"){
if(!longerThan(data21, 0)){
const err86 = {instancePath:instancePath+"/defaults/asGroup/" + i6,schemaPath:"#/properties/defaults/properties/asGroup/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err86];
}
else {
vErrors.push(err86);
}
errors++;
}
}
else {
const err87 = {instancePath:instancePath+"/defaults/asGroup/" + i6,schemaPath:"#/properties/defaults/properties/asGroup/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err87];
}
else {
vErrors.push(err87);
}
errors++;
}
}
}
else {
const err88 = {instancePath:instancePath+"/defaults/asGroup",schemaPath:"#/properties/defaults/properties/asGroup/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err88];
}
else {
vErrors.push(err88);
}
errors++;
}
}
if(data4.subresource !== undefined){
let data22 = data4.subresource;
if(!((data22 === "none") || (data22 === "status"))){
const err89 = {instancePath:instancePath+"/defaults/subresource",schemaPath:"#/properties/defaults/properties/subresource/enum",keyword:"enum",params:{allowedValues: schema11.properties.defaults.properties.subresource.enum}};
if(vErrors === null){
vErrors = [err89];
}
else {
vErrors.push(err89);
}
errors++;
}
}
if(data4.now !== undefined){
let data23 = data4.now;
if(typeof data23 === "string"){
if(!(formats0(data23))){
const err90 = {instancePath:instancePath+"/defaults/now",schemaPath:"#/properties/defaults/properties/now/format",keyword:"format",params:{format: "date-time"}};
if(vErrors === null){
vErrors = [err90];
}
else {
vErrors.push(err90);
}
errors++;
}
if(!longerThan(data23, 0)){
const err91 = {instancePath:instancePath+"/defaults/now",schemaPath:"#/properties/defaults/properties/now/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err91];
}
else {
vErrors.push(err91);
}
errors++;
}
}
else {
const err92 = {instancePath:instancePath+"/defaults/now",schemaPath:"#/properties/defaults/properties/now/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err92];
}
else {
vErrors.push(err92);
}
errors++;
}
}
if(data4.point !== undefined){
let data24 = data4.point;
if(!(((data24 === "webhook") || (data24 === "check")) || (data24 === "scan"))){
const err93 = {instancePath:instancePath+"/defaults/point",schemaPath:"#/properties/defaults/properties/point/enum",keyword:"enum",params:{allowedValues: schema11.properties.defaults.properties.point.enum}};
if(vErrors === null){
vErrors = [err93];
}
else {
vErrors.push(err93);
}
errors++;
}
}
if(data4.view !== undefined){
let data25 = data4.view;
if(!((data25 === "live") || (data25 === "files"))){
const err94 = {instancePath:instancePath+"/defaults/view",schemaPath:"#/properties/defaults/properties/view/enum",keyword:"enum",params:{allowedValues: schema11.properties.defaults.properties.view.enum}};
if(vErrors === null){
vErrors = [err94];
}
else {
vErrors.push(err94);
}
errors++;
}
}
}
else {
const err95 = {instancePath:instancePath+"/defaults",schemaPath:"#/properties/defaults/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err95];
}
else {
vErrors.push(err95);
}
errors++;
}
}
if(data.tests !== undefined){
let data26 = data.tests;
if(Array.isArray(data26)){
if(data26.length > 1000){
const err96 = {instancePath:instancePath+"/tests",schemaPath:"#/properties/tests/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err96];
}
else {
vErrors.push(err96);
}
errors++;
}
if(data26.length < 1){
const err97 = {instancePath:instancePath+"/tests",schemaPath:"#/properties/tests/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err97];
}
else {
vErrors.push(err97);
}
errors++;
}
const len7 = data26.length;
for(let i7=0; i7<len7; i7++){
let data27 = data26[i7];
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.name === undefined){
const err98 = {instancePath:instancePath+"/tests/" + i7,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err98];
}
else {
vErrors.push(err98);
}
errors++;
}
if(data27.expect === undefined){
const err99 = {instancePath:instancePath+"/tests/" + i7,schemaPath:"#/properties/tests/items/required",keyword:"required",params:{missingProperty: "expect"}};
if(vErrors === null){
vErrors = [err99];
}
else {
vErrors.push(err99);
}
errors++;
}
for(const key4 in data27){
if(!(func2.call(schema11.properties.tests.items.properties, key4))){
const err100 = {instancePath:instancePath+"/tests/" + i7,schemaPath:"#/properties/tests/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key4}};
if(vErrors === null){
vErrors = [err100];
}
else {
vErrors.push(err100);
}
errors++;
}
}
if(data27.name !== undefined){
let data28 = data27.name;
if(typeof data28 === "string"){
if(!longerThan(data28, 0)){
const err101 = {instancePath:instancePath+"/tests/" + i7+"/name",schemaPath:"#/properties/tests/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err101];
}
else {
vErrors.push(err101);
}
errors++;
}
}
else {
const err102 = {instancePath:instancePath+"/tests/" + i7+"/name",schemaPath:"#/properties/tests/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err102];
}
else {
vErrors.push(err102);
}
errors++;
}
}
if(data27.check !== undefined){
let data29 = data27.check;
const _errs124 = errors;
let valid34 = false;
const _errs125 = errors;
if(typeof data29 === "string"){
if(!longerThan(data29, 0)){
const err103 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err103];
}
else {
vErrors.push(err103);
}
errors++;
}
}
else {
const err104 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err104];
}
else {
vErrors.push(err104);
}
errors++;
}
var _valid13 = _errs125 === errors;
valid34 = valid34 || _valid13;
if(!valid34){
const _errs127 = errors;
if(!(data29 && typeof data29 == "object" && !Array.isArray(data29))){
const err105 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err105];
}
else {
vErrors.push(err105);
}
errors++;
}
var _valid13 = _errs127 === errors;
valid34 = valid34 || _valid13;
if(!valid34){
const _errs129 = errors;
if(Array.isArray(data29)){
if(data29.length > 1000){
const err106 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err106];
}
else {
vErrors.push(err106);
}
errors++;
}
if(data29.length < 0){
const err107 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err107];
}
else {
vErrors.push(err107);
}
errors++;
}
const len8 = data29.length;
for(let i8=0; i8<len8; i8++){
let data30 = data29[i8];
const _errs132 = errors;
let valid37 = false;
const _errs133 = errors;
if(typeof data30 === "string"){
if(!longerThan(data30, 0)){
const err108 = {instancePath:instancePath+"/tests/" + i7+"/check/" + i8,schemaPath:"#/properties/tests/items/properties/check/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err108];
}
else {
vErrors.push(err108);
}
errors++;
}
}
else {
const err109 = {instancePath:instancePath+"/tests/" + i7+"/check/" + i8,schemaPath:"#/properties/tests/items/properties/check/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err109];
}
else {
vErrors.push(err109);
}
errors++;
}
var _valid14 = _errs133 === errors;
valid37 = valid37 || _valid14;
if(!valid37){
const _errs135 = errors;
if(!(data30 && typeof data30 == "object" && !Array.isArray(data30))){
const err110 = {instancePath:instancePath+"/tests/" + i7+"/check/" + i8,schemaPath:"#/properties/tests/items/properties/check/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err110];
}
else {
vErrors.push(err110);
}
errors++;
}
var _valid14 = _errs135 === errors;
valid37 = valid37 || _valid14;
}
if(!valid37){
const err111 = {instancePath:instancePath+"/tests/" + i7+"/check/" + i8,schemaPath:"#/properties/tests/items/properties/check/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err111];
}
else {
vErrors.push(err111);
}
errors++;
}
else {
errors = _errs132;
if(vErrors !== null){
if(_errs132){
vErrors.length = _errs132;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err112 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err112];
}
else {
vErrors.push(err112);
}
errors++;
}
var _valid13 = _errs129 === errors;
valid34 = valid34 || _valid13;
}
}
if(!valid34){
const err113 = {instancePath:instancePath+"/tests/" + i7+"/check",schemaPath:"#/properties/tests/items/properties/check/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err113];
}
else {
vErrors.push(err113);
}
errors++;
}
else {
errors = _errs124;
if(vErrors !== null){
if(_errs124){
vErrors.length = _errs124;
}
else {
vErrors = null;
}
}
}
}
if(data27.deleted !== undefined){
let data31 = data27.deleted;
const _errs138 = errors;
let valid38 = false;
const _errs139 = errors;
if(typeof data31 === "string"){
if(!longerThan(data31, 0)){
const err114 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err114];
}
else {
vErrors.push(err114);
}
errors++;
}
}
else {
const err115 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err115];
}
else {
vErrors.push(err115);
}
errors++;
}
var _valid15 = _errs139 === errors;
valid38 = valid38 || _valid15;
if(!valid38){
const _errs141 = errors;
if(!(data31 && typeof data31 == "object" && !Array.isArray(data31))){
const err116 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err116];
}
else {
vErrors.push(err116);
}
errors++;
}
var _valid15 = _errs141 === errors;
valid38 = valid38 || _valid15;
if(!valid38){
const _errs143 = errors;
if(Array.isArray(data31)){
if(data31.length > 1000){
const err117 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err117];
}
else {
vErrors.push(err117);
}
errors++;
}
if(data31.length < 0){
const err118 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err118];
}
else {
vErrors.push(err118);
}
errors++;
}
const len9 = data31.length;
for(let i9=0; i9<len9; i9++){
let data32 = data31[i9];
const _errs146 = errors;
let valid41 = false;
const _errs147 = errors;
if(typeof data32 === "string"){
if(!longerThan(data32, 0)){
const err119 = {instancePath:instancePath+"/tests/" + i7+"/deleted/" + i9,schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err119];
}
else {
vErrors.push(err119);
}
errors++;
}
}
else {
const err120 = {instancePath:instancePath+"/tests/" + i7+"/deleted/" + i9,schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err120];
}
else {
vErrors.push(err120);
}
errors++;
}
var _valid16 = _errs147 === errors;
valid41 = valid41 || _valid16;
if(!valid41){
const _errs149 = errors;
if(!(data32 && typeof data32 == "object" && !Array.isArray(data32))){
const err121 = {instancePath:instancePath+"/tests/" + i7+"/deleted/" + i9,schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err121];
}
else {
vErrors.push(err121);
}
errors++;
}
var _valid16 = _errs149 === errors;
valid41 = valid41 || _valid16;
}
if(!valid41){
const err122 = {instancePath:instancePath+"/tests/" + i7+"/deleted/" + i9,schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err122];
}
else {
vErrors.push(err122);
}
errors++;
}
else {
errors = _errs146;
if(vErrors !== null){
if(_errs146){
vErrors.length = _errs146;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err123 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err123];
}
else {
vErrors.push(err123);
}
errors++;
}
var _valid15 = _errs143 === errors;
valid38 = valid38 || _valid15;
}
}
if(!valid38){
const err124 = {instancePath:instancePath+"/tests/" + i7+"/deleted",schemaPath:"#/properties/tests/items/properties/deleted/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err124];
}
else {
vErrors.push(err124);
}
errors++;
}
else {
errors = _errs138;
if(vErrors !== null){
if(_errs138){
vErrors.length = _errs138;
}
else {
vErrors = null;
}
}
}
}
if(data27.state !== undefined){
let data33 = data27.state;
const _errs152 = errors;
let valid42 = false;
const _errs153 = errors;
if(typeof data33 === "string"){
if(!longerThan(data33, 0)){
const err125 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err125];
}
else {
vErrors.push(err125);
}
errors++;
}
}
else {
const err126 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err126];
}
else {
vErrors.push(err126);
}
errors++;
}
var _valid17 = _errs153 === errors;
valid42 = valid42 || _valid17;
if(!valid42){
const _errs155 = errors;
if(!(data33 && typeof data33 == "object" && !Array.isArray(data33))){
const err127 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err127];
}
else {
vErrors.push(err127);
}
errors++;
}
var _valid17 = _errs155 === errors;
valid42 = valid42 || _valid17;
if(!valid42){
const _errs157 = errors;
if(Array.isArray(data33)){
if(data33.length > 1000){
const err128 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err128];
}
else {
vErrors.push(err128);
}
errors++;
}
if(data33.length < 0){
const err129 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err129];
}
else {
vErrors.push(err129);
}
errors++;
}
const len10 = data33.length;
for(let i10=0; i10<len10; i10++){
let data34 = data33[i10];
const _errs160 = errors;
let valid45 = false;
const _errs161 = errors;
if(typeof data34 === "string"){
if(!longerThan(data34, 0)){
const err130 = {instancePath:instancePath+"/tests/" + i7+"/state/" + i10,schemaPath:"#/properties/tests/items/properties/state/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err130];
}
else {
vErrors.push(err130);
}
errors++;
}
}
else {
const err131 = {instancePath:instancePath+"/tests/" + i7+"/state/" + i10,schemaPath:"#/properties/tests/items/properties/state/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err131];
}
else {
vErrors.push(err131);
}
errors++;
}
var _valid18 = _errs161 === errors;
valid45 = valid45 || _valid18;
if(!valid45){
const _errs163 = errors;
if(!(data34 && typeof data34 == "object" && !Array.isArray(data34))){
const err132 = {instancePath:instancePath+"/tests/" + i7+"/state/" + i10,schemaPath:"#/properties/tests/items/properties/state/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err132];
}
else {
vErrors.push(err132);
}
errors++;
}
var _valid18 = _errs163 === errors;
valid45 = valid45 || _valid18;
}
if(!valid45){
const err133 = {instancePath:instancePath+"/tests/" + i7+"/state/" + i10,schemaPath:"#/properties/tests/items/properties/state/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err133];
}
else {
vErrors.push(err133);
}
errors++;
}
else {
errors = _errs160;
if(vErrors !== null){
if(_errs160){
vErrors.length = _errs160;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err134 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err134];
}
else {
vErrors.push(err134);
}
errors++;
}
var _valid17 = _errs157 === errors;
valid42 = valid42 || _valid17;
}
}
if(!valid42){
const err135 = {instancePath:instancePath+"/tests/" + i7+"/state",schemaPath:"#/properties/tests/items/properties/state/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err135];
}
else {
vErrors.push(err135);
}
errors++;
}
else {
errors = _errs152;
if(vErrors !== null){
if(_errs152){
vErrors.length = _errs152;
}
else {
vErrors = null;
}
}
}
}
if(data27.clusters !== undefined){
let data35 = data27.clusters;
if(data35 && typeof data35 == "object" && !Array.isArray(data35)){
if(Object.keys(data35).length > 1000){
const err136 = {instancePath:instancePath+"/tests/" + i7+"/clusters",schemaPath:"#/properties/tests/items/properties/clusters/maxProperties",keyword:"maxProperties",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err136];
}
else {
vErrors.push(err136);
}
errors++;
}
for(const key5 in data35){
let data36 = data35[key5];
if(data36 && typeof data36 == "object" && !Array.isArray(data36)){
for(const key6 in data36){
if(!(((key6 === "check") || (key6 === "deleted")) || (key6 === "state"))){
const err137 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key6}};
if(vErrors === null){
vErrors = [err137];
}
else {
vErrors.push(err137);
}
errors++;
}
}
if(data36.check !== undefined){
let data37 = data36.check;
const _errs172 = errors;
let valid48 = false;
const _errs173 = errors;
if(typeof data37 === "string"){
if(!longerThan(data37, 0)){
const err138 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err138];
}
else {
vErrors.push(err138);
}
errors++;
}
}
else {
const err139 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err139];
}
else {
vErrors.push(err139);
}
errors++;
}
var _valid19 = _errs173 === errors;
valid48 = valid48 || _valid19;
if(!valid48){
const _errs175 = errors;
if(!(data37 && typeof data37 == "object" && !Array.isArray(data37))){
const err140 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err140];
}
else {
vErrors.push(err140);
}
errors++;
}
var _valid19 = _errs175 === errors;
valid48 = valid48 || _valid19;
if(!valid48){
const _errs177 = errors;
if(Array.isArray(data37)){
if(data37.length > 1000){
const err141 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err141];
}
else {
vErrors.push(err141);
}
errors++;
}
if(data37.length < 0){
const err142 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err142];
}
else {
vErrors.push(err142);
}
errors++;
}
const len11 = data37.length;
for(let i11=0; i11<len11; i11++){
let data38 = data37[i11];
const _errs180 = errors;
let valid51 = false;
const _errs181 = errors;
if(typeof data38 === "string"){
if(!longerThan(data38, 0)){
const err143 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i11,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err143];
}
else {
vErrors.push(err143);
}
errors++;
}
}
else {
const err144 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i11,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err144];
}
else {
vErrors.push(err144);
}
errors++;
}
var _valid20 = _errs181 === errors;
valid51 = valid51 || _valid20;
if(!valid51){
const _errs183 = errors;
if(!(data38 && typeof data38 == "object" && !Array.isArray(data38))){
const err145 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i11,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err145];
}
else {
vErrors.push(err145);
}
errors++;
}
var _valid20 = _errs183 === errors;
valid51 = valid51 || _valid20;
}
if(!valid51){
const err146 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check/" + i11,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err146];
}
else {
vErrors.push(err146);
}
errors++;
}
else {
errors = _errs180;
if(vErrors !== null){
if(_errs180){
vErrors.length = _errs180;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err147 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err147];
}
else {
vErrors.push(err147);
}
errors++;
}
var _valid19 = _errs177 === errors;
valid48 = valid48 || _valid19;
}
}
if(!valid48){
const err148 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/check",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/check/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err148];
}
else {
vErrors.push(err148);
}
errors++;
}
else {
errors = _errs172;
if(vErrors !== null){
if(_errs172){
vErrors.length = _errs172;
}
else {
vErrors = null;
}
}
}
}
if(data36.deleted !== undefined){
let data39 = data36.deleted;
const _errs186 = errors;
let valid52 = false;
const _errs187 = errors;
if(typeof data39 === "string"){
if(!longerThan(data39, 0)){
const err149 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err149];
}
else {
vErrors.push(err149);
}
errors++;
}
}
else {
const err150 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err150];
}
else {
vErrors.push(err150);
}
errors++;
}
var _valid21 = _errs187 === errors;
valid52 = valid52 || _valid21;
if(!valid52){
const _errs189 = errors;
if(!(data39 && typeof data39 == "object" && !Array.isArray(data39))){
const err151 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err151];
}
else {
vErrors.push(err151);
}
errors++;
}
var _valid21 = _errs189 === errors;
valid52 = valid52 || _valid21;
if(!valid52){
const _errs191 = errors;
if(Array.isArray(data39)){
if(data39.length > 1000){
const err152 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err152];
}
else {
vErrors.push(err152);
}
errors++;
}
if(data39.length < 0){
const err153 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err153];
}
else {
vErrors.push(err153);
}
errors++;
}
const len12 = data39.length;
for(let i12=0; i12<len12; i12++){
let data40 = data39[i12];
const _errs194 = errors;
let valid55 = false;
const _errs195 = errors;
if(typeof data40 === "string"){
if(!longerThan(data40, 0)){
const err154 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i12,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err154];
}
else {
vErrors.push(err154);
}
errors++;
}
}
else {
const err155 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i12,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err155];
}
else {
vErrors.push(err155);
}
errors++;
}
var _valid22 = _errs195 === errors;
valid55 = valid55 || _valid22;
if(!valid55){
const _errs197 = errors;
if(!(data40 && typeof data40 == "object" && !Array.isArray(data40))){
const err156 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i12,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err156];
}
else {
vErrors.push(err156);
}
errors++;
}
var _valid22 = _errs197 === errors;
valid55 = valid55 || _valid22;
}
if(!valid55){
const err157 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted/" + i12,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err157];
}
else {
vErrors.push(err157);
}
errors++;
}
else {
errors = _errs194;
if(vErrors !== null){
if(_errs194){
vErrors.length = _errs194;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err158 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err158];
}
else {
vErrors.push(err158);
}
errors++;
}
var _valid21 = _errs191 === errors;
valid52 = valid52 || _valid21;
}
}
if(!valid52){
const err159 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/deleted",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/deleted/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err159];
}
else {
vErrors.push(err159);
}
errors++;
}
else {
errors = _errs186;
if(vErrors !== null){
if(_errs186){
vErrors.length = _errs186;
}
else {
vErrors = null;
}
}
}
}
if(data36.state !== undefined){
let data41 = data36.state;
const _errs200 = errors;
let valid56 = false;
const _errs201 = errors;
if(typeof data41 === "string"){
if(!longerThan(data41, 0)){
const err160 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err160];
}
else {
vErrors.push(err160);
}
errors++;
}
}
else {
const err161 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err161];
}
else {
vErrors.push(err161);
}
errors++;
}
var _valid23 = _errs201 === errors;
valid56 = valid56 || _valid23;
if(!valid56){
const _errs203 = errors;
if(!(data41 && typeof data41 == "object" && !Array.isArray(data41))){
const err162 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err162];
}
else {
vErrors.push(err162);
}
errors++;
}
var _valid23 = _errs203 === errors;
valid56 = valid56 || _valid23;
if(!valid56){
const _errs205 = errors;
if(Array.isArray(data41)){
if(data41.length > 1000){
const err163 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err163];
}
else {
vErrors.push(err163);
}
errors++;
}
if(data41.length < 0){
const err164 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err164];
}
else {
vErrors.push(err164);
}
errors++;
}
const len13 = data41.length;
for(let i13=0; i13<len13; i13++){
let data42 = data41[i13];
const _errs208 = errors;
let valid59 = false;
const _errs209 = errors;
if(typeof data42 === "string"){
if(!longerThan(data42, 0)){
const err165 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i13,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf/0/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err165];
}
else {
vErrors.push(err165);
}
errors++;
}
}
else {
const err166 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i13,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err166];
}
else {
vErrors.push(err166);
}
errors++;
}
var _valid24 = _errs209 === errors;
valid59 = valid59 || _valid24;
if(!valid59){
const _errs211 = errors;
if(!(data42 && typeof data42 == "object" && !Array.isArray(data42))){
const err167 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i13,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err167];
}
else {
vErrors.push(err167);
}
errors++;
}
var _valid24 = _errs211 === errors;
valid59 = valid59 || _valid24;
}
if(!valid59){
const err168 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state/" + i13,schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/items/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err168];
}
else {
vErrors.push(err168);
}
errors++;
}
else {
errors = _errs208;
if(vErrors !== null){
if(_errs208){
vErrors.length = _errs208;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err169 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err169];
}
else {
vErrors.push(err169);
}
errors++;
}
var _valid23 = _errs205 === errors;
valid56 = valid56 || _valid23;
}
}
if(!valid56){
const err170 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1")+"/state",schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/properties/state/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err170];
}
else {
vErrors.push(err170);
}
errors++;
}
else {
errors = _errs200;
if(vErrors !== null){
if(_errs200){
vErrors.length = _errs200;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err171 = {instancePath:instancePath+"/tests/" + i7+"/clusters/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tests/items/properties/clusters/additionalProperties/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err171];
}
else {
vErrors.push(err171);
}
errors++;
}
}
}
else {
const err172 = {instancePath:instancePath+"/tests/" + i7+"/clusters",schemaPath:"#/properties/tests/items/properties/clusters/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err172];
}
else {
vErrors.push(err172);
}
errors++;
}
}
if(data27.as !== undefined){
let data43 = data27.as;
if(typeof data43 === "string"){
if(!longerThan(data43, 0)){
const err173 = {instancePath:instancePath+"/tests/" + i7+"/as",schemaPath:"#/properties/tests/items/properties/as/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err173];
}
else {
vErrors.push(err173);
}
errors++;
}
}
else {
const err174 = {instancePath:instancePath+"/tests/" + i7+"/as",schemaPath:"#/properties/tests/items/properties/as/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err174];
}
else {
vErrors.push(err174);
}
errors++;
}
}
if(data27.asGroup !== undefined){
let data44 = data27.asGroup;
if(Array.isArray(data44)){
if(data44.length > 1000){
const err175 = {instancePath:instancePath+"/tests/" + i7+"/asGroup",schemaPath:"#/properties/tests/items/properties/asGroup/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err175];
}
else {
vErrors.push(err175);
}
errors++;
}
if(data44.length < 0){
const err176 = {instancePath:instancePath+"/tests/" + i7+"/asGroup",schemaPath:"#/properties/tests/items/properties/asGroup/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err176];
}
else {
vErrors.push(err176);
}
errors++;
}
const len14 = data44.length;
for(let i14=0; i14<len14; i14++){
let data45 = data44[i14];
if(typeof data45 === "string"){
if(!longerThan(data45, 0)){
const err177 = {instancePath:instancePath+"/tests/" + i7+"/asGroup/" + i14,schemaPath:"#/properties/tests/items/properties/asGroup/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err177];
}
else {
vErrors.push(err177);
}
errors++;
}
}
else {
const err178 = {instancePath:instancePath+"/tests/" + i7+"/asGroup/" + i14,schemaPath:"#/properties/tests/items/properties/asGroup/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err178];
}
else {
vErrors.push(err178);
}
errors++;
}
}
}
else {
const err179 = {instancePath:instancePath+"/tests/" + i7+"/asGroup",schemaPath:"#/properties/tests/items/properties/asGroup/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err179];
}
else {
vErrors.push(err179);
}
errors++;
}
}
if(data27.subresource !== undefined){
let data46 = data27.subresource;
if(!((data46 === "none") || (data46 === "status"))){
const err180 = {instancePath:instancePath+"/tests/" + i7+"/subresource",schemaPath:"#/properties/tests/items/properties/subresource/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.subresource.enum}};
if(vErrors === null){
vErrors = [err180];
}
else {
vErrors.push(err180);
}
errors++;
}
}
if(data27.now !== undefined){
let data47 = data27.now;
if(typeof data47 === "string"){
if(!(formats0(data47))){
const err181 = {instancePath:instancePath+"/tests/" + i7+"/now",schemaPath:"#/properties/tests/items/properties/now/format",keyword:"format",params:{format: "date-time"}};
if(vErrors === null){
vErrors = [err181];
}
else {
vErrors.push(err181);
}
errors++;
}
if(!longerThan(data47, 0)){
const err182 = {instancePath:instancePath+"/tests/" + i7+"/now",schemaPath:"#/properties/tests/items/properties/now/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err182];
}
else {
vErrors.push(err182);
}
errors++;
}
}
else {
const err183 = {instancePath:instancePath+"/tests/" + i7+"/now",schemaPath:"#/properties/tests/items/properties/now/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err183];
}
else {
vErrors.push(err183);
}
errors++;
}
}
if(data27.point !== undefined){
let data48 = data27.point;
if(!(((data48 === "webhook") || (data48 === "check")) || (data48 === "scan"))){
const err184 = {instancePath:instancePath+"/tests/" + i7+"/point",schemaPath:"#/properties/tests/items/properties/point/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.point.enum}};
if(vErrors === null){
vErrors = [err184];
}
else {
vErrors.push(err184);
}
errors++;
}
}
if(data27.view !== undefined){
let data49 = data27.view;
if(!((data49 === "live") || (data49 === "files"))){
const err185 = {instancePath:instancePath+"/tests/" + i7+"/view",schemaPath:"#/properties/tests/items/properties/view/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.view.enum}};
if(vErrors === null){
vErrors = [err185];
}
else {
vErrors.push(err185);
}
errors++;
}
}
if(data27.expect !== undefined){
let data50 = data27.expect;
const _errs225 = errors;
let valid62 = false;
const _errs226 = errors;
if(!(((data50 === "allowed") || (data50 === "denied")) || (data50 === "indeterminate"))){
const err186 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/0/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[0].enum}};
if(vErrors === null){
vErrors = [err186];
}
else {
vErrors.push(err186);
}
errors++;
}
var _valid25 = _errs226 === errors;
valid62 = valid62 || _valid25;
if(!valid62){
const _errs227 = errors;
if(data50 && typeof data50 == "object" && !Array.isArray(data50)){
if(data50.verdict === undefined){
const err187 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/required",keyword:"required",params:{missingProperty: "verdict"}};
if(vErrors === null){
vErrors = [err187];
}
else {
vErrors.push(err187);
}
errors++;
}
for(const key7 in data50){
if(!((((((key7 === "verdict") || (key7 === "rules")) || (key7 === "warnings")) || (key7 === "audits")) || (key7 === "code")) || (key7 === "message"))){
const err188 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key7}};
if(vErrors === null){
vErrors = [err188];
}
else {
vErrors.push(err188);
}
errors++;
}
}
if(data50.verdict !== undefined){
let data51 = data50.verdict;
if(!(((data51 === "allowed") || (data51 === "denied")) || (data51 === "indeterminate"))){
const err189 = {instancePath:instancePath+"/tests/" + i7+"/expect/verdict",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/verdict/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[1].properties.verdict.enum}};
if(vErrors === null){
vErrors = [err189];
}
else {
vErrors.push(err189);
}
errors++;
}
}
if(data50.rules !== undefined){
let data52 = data50.rules;
const _errs232 = errors;
let valid64 = false;
const _errs233 = errors;
if(Array.isArray(data52)){
if(data52.length > 1000){
const err190 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err190];
}
else {
vErrors.push(err190);
}
errors++;
}
if(data52.length < 0){
const err191 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/0/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err191];
}
else {
vErrors.push(err191);
}
errors++;
}
const len15 = data52.length;
for(let i15=0; i15<len15; i15++){
let data53 = data52[i15];
if(typeof data53 === "string"){
if(!longerThan(data53, 0)){
const err192 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/" + i15,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/0/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err192];
}
else {
vErrors.push(err192);
}
errors++;
}
}
else {
const err193 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/" + i15,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/0/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err193];
}
else {
vErrors.push(err193);
}
errors++;
}
}
}
else {
const err194 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err194];
}
else {
vErrors.push(err194);
}
errors++;
}
var _valid26 = _errs233 === errors;
valid64 = valid64 || _valid26;
if(!valid64){
const _errs237 = errors;
if(data52 && typeof data52 == "object" && !Array.isArray(data52)){
if(Object.keys(data52).length < 1){
const err195 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err195];
}
else {
vErrors.push(err195);
}
errors++;
}
for(const key8 in data52){
if(!((key8 === "include") || (key8 === "exclude"))){
const err196 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key8}};
if(vErrors === null){
vErrors = [err196];
}
else {
vErrors.push(err196);
}
errors++;
}
}
if(data52.include !== undefined){
let data54 = data52.include;
if(Array.isArray(data54)){
if(data54.length > 1000){
const err197 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/include/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err197];
}
else {
vErrors.push(err197);
}
errors++;
}
if(data54.length < 0){
const err198 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/include/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err198];
}
else {
vErrors.push(err198);
}
errors++;
}
const len16 = data54.length;
for(let i16=0; i16<len16; i16++){
let data55 = data54[i16];
if(typeof data55 === "string"){
if(!longerThan(data55, 0)){
const err199 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/include/" + i16,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/include/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err199];
}
else {
vErrors.push(err199);
}
errors++;
}
}
else {
const err200 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/include/" + i16,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/include/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err200];
}
else {
vErrors.push(err200);
}
errors++;
}
}
}
else {
const err201 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/include/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err201];
}
else {
vErrors.push(err201);
}
errors++;
}
}
if(data52.exclude !== undefined){
let data56 = data52.exclude;
if(Array.isArray(data56)){
if(data56.length > 1000){
const err202 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/exclude/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err202];
}
else {
vErrors.push(err202);
}
errors++;
}
if(data56.length < 0){
const err203 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/exclude/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err203];
}
else {
vErrors.push(err203);
}
errors++;
}
const len17 = data56.length;
for(let i17=0; i17<len17; i17++){
let data57 = data56[i17];
if(typeof data57 === "string"){
if(!longerThan(data57, 0)){
const err204 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/exclude/" + i17,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/exclude/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err204];
}
else {
vErrors.push(err204);
}
errors++;
}
}
else {
const err205 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/exclude/" + i17,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err205];
}
else {
vErrors.push(err205);
}
errors++;
}
}
}
else {
const err206 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/properties/exclude/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err206];
}
else {
vErrors.push(err206);
}
errors++;
}
}
}
else {
const err207 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err207];
}
else {
vErrors.push(err207);
}
errors++;
}
var _valid26 = _errs237 === errors;
valid64 = valid64 || _valid26;
}
if(!valid64){
const err208 = {instancePath:instancePath+"/tests/" + i7+"/expect/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/rules/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err208];
}
else {
vErrors.push(err208);
}
errors++;
}
else {
errors = _errs232;
if(vErrors !== null){
if(_errs232){
vErrors.length = _errs232;
}
else {
vErrors = null;
}
}
}
}
if(data50.warnings !== undefined){
let data58 = data50.warnings;
const _errs249 = errors;
let valid72 = false;
const _errs250 = errors;
if(Array.isArray(data58)){
if(data58.length > 1000){
const err209 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err209];
}
else {
vErrors.push(err209);
}
errors++;
}
if(data58.length < 0){
const err210 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/0/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err210];
}
else {
vErrors.push(err210);
}
errors++;
}
const len18 = data58.length;
for(let i18=0; i18<len18; i18++){
let data59 = data58[i18];
if(typeof data59 === "string"){
if(!longerThan(data59, 0)){
const err211 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/" + i18,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/0/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err211];
}
else {
vErrors.push(err211);
}
errors++;
}
}
else {
const err212 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/" + i18,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/0/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err212];
}
else {
vErrors.push(err212);
}
errors++;
}
}
}
else {
const err213 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err213];
}
else {
vErrors.push(err213);
}
errors++;
}
var _valid27 = _errs250 === errors;
valid72 = valid72 || _valid27;
if(!valid72){
const _errs254 = errors;
if(data58 && typeof data58 == "object" && !Array.isArray(data58)){
if(Object.keys(data58).length < 1){
const err214 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err214];
}
else {
vErrors.push(err214);
}
errors++;
}
for(const key9 in data58){
if(!((key9 === "include") || (key9 === "exclude"))){
const err215 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key9}};
if(vErrors === null){
vErrors = [err215];
}
else {
vErrors.push(err215);
}
errors++;
}
}
if(data58.include !== undefined){
let data60 = data58.include;
if(Array.isArray(data60)){
if(data60.length > 1000){
const err216 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/include/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err216];
}
else {
vErrors.push(err216);
}
errors++;
}
if(data60.length < 0){
const err217 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/include/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err217];
}
else {
vErrors.push(err217);
}
errors++;
}
const len19 = data60.length;
for(let i19=0; i19<len19; i19++){
let data61 = data60[i19];
if(typeof data61 === "string"){
if(!longerThan(data61, 0)){
const err218 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/include/" + i19,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/include/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err218];
}
else {
vErrors.push(err218);
}
errors++;
}
}
else {
const err219 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/include/" + i19,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/include/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err219];
}
else {
vErrors.push(err219);
}
errors++;
}
}
}
else {
const err220 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/include/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err220];
}
else {
vErrors.push(err220);
}
errors++;
}
}
if(data58.exclude !== undefined){
let data62 = data58.exclude;
if(Array.isArray(data62)){
if(data62.length > 1000){
const err221 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/exclude/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err221];
}
else {
vErrors.push(err221);
}
errors++;
}
if(data62.length < 0){
const err222 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/exclude/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err222];
}
else {
vErrors.push(err222);
}
errors++;
}
const len20 = data62.length;
for(let i20=0; i20<len20; i20++){
let data63 = data62[i20];
if(typeof data63 === "string"){
if(!longerThan(data63, 0)){
const err223 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/exclude/" + i20,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/exclude/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err223];
}
else {
vErrors.push(err223);
}
errors++;
}
}
else {
const err224 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/exclude/" + i20,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err224];
}
else {
vErrors.push(err224);
}
errors++;
}
}
}
else {
const err225 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/properties/exclude/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err225];
}
else {
vErrors.push(err225);
}
errors++;
}
}
}
else {
const err226 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err226];
}
else {
vErrors.push(err226);
}
errors++;
}
var _valid27 = _errs254 === errors;
valid72 = valid72 || _valid27;
}
if(!valid72){
const err227 = {instancePath:instancePath+"/tests/" + i7+"/expect/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/warnings/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err227];
}
else {
vErrors.push(err227);
}
errors++;
}
else {
errors = _errs249;
if(vErrors !== null){
if(_errs249){
vErrors.length = _errs249;
}
else {
vErrors = null;
}
}
}
}
if(data50.audits !== undefined){
let data64 = data50.audits;
const _errs266 = errors;
let valid80 = false;
const _errs267 = errors;
if(Array.isArray(data64)){
if(data64.length > 1000){
const err228 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err228];
}
else {
vErrors.push(err228);
}
errors++;
}
if(data64.length < 0){
const err229 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/0/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err229];
}
else {
vErrors.push(err229);
}
errors++;
}
const len21 = data64.length;
for(let i21=0; i21<len21; i21++){
let data65 = data64[i21];
if(typeof data65 === "string"){
if(!longerThan(data65, 0)){
const err230 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/" + i21,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/0/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err230];
}
else {
vErrors.push(err230);
}
errors++;
}
}
else {
const err231 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/" + i21,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/0/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err231];
}
else {
vErrors.push(err231);
}
errors++;
}
}
}
else {
const err232 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err232];
}
else {
vErrors.push(err232);
}
errors++;
}
var _valid28 = _errs267 === errors;
valid80 = valid80 || _valid28;
if(!valid80){
const _errs271 = errors;
if(data64 && typeof data64 == "object" && !Array.isArray(data64)){
if(Object.keys(data64).length < 1){
const err233 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err233];
}
else {
vErrors.push(err233);
}
errors++;
}
for(const key10 in data64){
if(!((key10 === "include") || (key10 === "exclude"))){
const err234 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key10}};
if(vErrors === null){
vErrors = [err234];
}
else {
vErrors.push(err234);
}
errors++;
}
}
if(data64.include !== undefined){
let data66 = data64.include;
if(Array.isArray(data66)){
if(data66.length > 1000){
const err235 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/include/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err235];
}
else {
vErrors.push(err235);
}
errors++;
}
if(data66.length < 0){
const err236 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/include/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err236];
}
else {
vErrors.push(err236);
}
errors++;
}
const len22 = data66.length;
for(let i22=0; i22<len22; i22++){
let data67 = data66[i22];
if(typeof data67 === "string"){
if(!longerThan(data67, 0)){
const err237 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/include/" + i22,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/include/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err237];
}
else {
vErrors.push(err237);
}
errors++;
}
}
else {
const err238 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/include/" + i22,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/include/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err238];
}
else {
vErrors.push(err238);
}
errors++;
}
}
}
else {
const err239 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/include/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err239];
}
else {
vErrors.push(err239);
}
errors++;
}
}
if(data64.exclude !== undefined){
let data68 = data64.exclude;
if(Array.isArray(data68)){
if(data68.length > 1000){
const err240 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/exclude/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err240];
}
else {
vErrors.push(err240);
}
errors++;
}
if(data68.length < 0){
const err241 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/exclude/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err241];
}
else {
vErrors.push(err241);
}
errors++;
}
const len23 = data68.length;
for(let i23=0; i23<len23; i23++){
let data69 = data68[i23];
if(typeof data69 === "string"){
if(!longerThan(data69, 0)){
const err242 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/exclude/" + i23,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/exclude/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err242];
}
else {
vErrors.push(err242);
}
errors++;
}
}
else {
const err243 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/exclude/" + i23,schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err243];
}
else {
vErrors.push(err243);
}
errors++;
}
}
}
else {
const err244 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/properties/exclude/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err244];
}
else {
vErrors.push(err244);
}
errors++;
}
}
}
else {
const err245 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err245];
}
else {
vErrors.push(err245);
}
errors++;
}
var _valid28 = _errs271 === errors;
valid80 = valid80 || _valid28;
}
if(!valid80){
const err246 = {instancePath:instancePath+"/tests/" + i7+"/expect/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/audits/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err246];
}
else {
vErrors.push(err246);
}
errors++;
}
else {
errors = _errs266;
if(vErrors !== null){
if(_errs266){
vErrors.length = _errs266;
}
else {
vErrors = null;
}
}
}
}
if(data50.code !== undefined){
let data70 = data50.code;
if(!((((data70 === 403) || (data70 === 409)) || (data70 === 422)) || (data70 === 503))){
const err247 = {instancePath:instancePath+"/tests/" + i7+"/expect/code",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/code/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[1].properties.code.enum}};
if(vErrors === null){
vErrors = [err247];
}
else {
vErrors.push(err247);
}
errors++;
}
}
if(data50.message !== undefined){
let data71 = data50.message;
if(typeof data71 === "string"){
if(longerThan(data71, 1000)){
const err248 = {instancePath:instancePath+"/tests/" + i7+"/expect/message",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/message/maxLength",keyword:"maxLength",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err248];
}
else {
vErrors.push(err248);
}
errors++;
}
if(!longerThan(data71, 0)){
const err249 = {instancePath:instancePath+"/tests/" + i7+"/expect/message",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/message/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err249];
}
else {
vErrors.push(err249);
}
errors++;
}
}
else {
const err250 = {instancePath:instancePath+"/tests/" + i7+"/expect/message",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err250];
}
else {
vErrors.push(err250);
}
errors++;
}
}
}
else {
const err251 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err251];
}
else {
vErrors.push(err251);
}
errors++;
}
var _valid25 = _errs227 === errors;
valid62 = valid62 || _valid25;
if(!valid62){
const _errs285 = errors;
if(Array.isArray(data50)){
if(data50.length > 1000){
const err252 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err252];
}
else {
vErrors.push(err252);
}
errors++;
}
if(data50.length < 1){
const err253 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err253];
}
else {
vErrors.push(err253);
}
errors++;
}
const len24 = data50.length;
for(let i24=0; i24<len24; i24++){
let data72 = data50[i24];
if(data72 && typeof data72 == "object" && !Array.isArray(data72)){
if(data72.object === undefined){
const err254 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/required",keyword:"required",params:{missingProperty: "object"}};
if(vErrors === null){
vErrors = [err254];
}
else {
vErrors.push(err254);
}
errors++;
}
if(data72.verdict === undefined){
const err255 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/required",keyword:"required",params:{missingProperty: "verdict"}};
if(vErrors === null){
vErrors = [err255];
}
else {
vErrors.push(err255);
}
errors++;
}
for(const key11 in data72){
if(!(func2.call(schema11.properties.tests.items.properties.expect.anyOf[2].items.properties, key11))){
const err256 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key11}};
if(vErrors === null){
vErrors = [err256];
}
else {
vErrors.push(err256);
}
errors++;
}
}
if(data72.object !== undefined){
let data73 = data72.object;
if(typeof data73 === "string"){
if(!longerThan(data73, 0)){
const err257 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/object",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/object/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err257];
}
else {
vErrors.push(err257);
}
errors++;
}
}
else {
const err258 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/object",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/object/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err258];
}
else {
vErrors.push(err258);
}
errors++;
}
}
if(data72.operation !== undefined){
let data74 = data72.operation;
if(!(((data74 === "CREATE") || (data74 === "UPDATE")) || (data74 === "DELETE"))){
const err259 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/operation",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/operation/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[2].items.properties.operation.enum}};
if(vErrors === null){
vErrors = [err259];
}
else {
vErrors.push(err259);
}
errors++;
}
}
if(data72.subresource !== undefined){
let data75 = data72.subresource;
if(!((data75 === "none") || (data75 === "status"))){
const err260 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/subresource",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/subresource/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[2].items.properties.subresource.enum}};
if(vErrors === null){
vErrors = [err260];
}
else {
vErrors.push(err260);
}
errors++;
}
}
if(data72.cluster !== undefined){
let data76 = data72.cluster;
if(typeof data76 === "string"){
if(!longerThan(data76, 0)){
const err261 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/cluster",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/cluster/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err261];
}
else {
vErrors.push(err261);
}
errors++;
}
}
else {
const err262 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/cluster",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/cluster/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err262];
}
else {
vErrors.push(err262);
}
errors++;
}
}
if(data72.verdict !== undefined){
let data77 = data72.verdict;
if(!(((data77 === "allowed") || (data77 === "denied")) || (data77 === "indeterminate"))){
const err263 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/verdict",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/verdict/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[2].items.properties.verdict.enum}};
if(vErrors === null){
vErrors = [err263];
}
else {
vErrors.push(err263);
}
errors++;
}
}
if(data72.rules !== undefined){
let data78 = data72.rules;
const _errs298 = errors;
let valid91 = false;
const _errs299 = errors;
if(Array.isArray(data78)){
if(data78.length > 1000){
const err264 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err264];
}
else {
vErrors.push(err264);
}
errors++;
}
if(data78.length < 0){
const err265 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/0/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err265];
}
else {
vErrors.push(err265);
}
errors++;
}
const len25 = data78.length;
for(let i25=0; i25<len25; i25++){
let data79 = data78[i25];
if(typeof data79 === "string"){
if(!longerThan(data79, 0)){
const err266 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/" + i25,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/0/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err266];
}
else {
vErrors.push(err266);
}
errors++;
}
}
else {
const err267 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/" + i25,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/0/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err267];
}
else {
vErrors.push(err267);
}
errors++;
}
}
}
else {
const err268 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err268];
}
else {
vErrors.push(err268);
}
errors++;
}
var _valid29 = _errs299 === errors;
valid91 = valid91 || _valid29;
if(!valid91){
const _errs303 = errors;
if(data78 && typeof data78 == "object" && !Array.isArray(data78)){
if(Object.keys(data78).length < 1){
const err269 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err269];
}
else {
vErrors.push(err269);
}
errors++;
}
for(const key12 in data78){
if(!((key12 === "include") || (key12 === "exclude"))){
const err270 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key12}};
if(vErrors === null){
vErrors = [err270];
}
else {
vErrors.push(err270);
}
errors++;
}
}
if(data78.include !== undefined){
let data80 = data78.include;
if(Array.isArray(data80)){
if(data80.length > 1000){
const err271 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/include/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err271];
}
else {
vErrors.push(err271);
}
errors++;
}
if(data80.length < 0){
const err272 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/include/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err272];
}
else {
vErrors.push(err272);
}
errors++;
}
const len26 = data80.length;
for(let i26=0; i26<len26; i26++){
let data81 = data80[i26];
if(typeof data81 === "string"){
if(!longerThan(data81, 0)){
const err273 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/include/" + i26,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/include/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err273];
}
else {
vErrors.push(err273);
}
errors++;
}
}
else {
const err274 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/include/" + i26,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/include/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err274];
}
else {
vErrors.push(err274);
}
errors++;
}
}
}
else {
const err275 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/include/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err275];
}
else {
vErrors.push(err275);
}
errors++;
}
}
if(data78.exclude !== undefined){
let data82 = data78.exclude;
if(Array.isArray(data82)){
if(data82.length > 1000){
const err276 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/exclude/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err276];
}
else {
vErrors.push(err276);
}
errors++;
}
if(data82.length < 0){
const err277 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/exclude/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err277];
}
else {
vErrors.push(err277);
}
errors++;
}
const len27 = data82.length;
for(let i27=0; i27<len27; i27++){
let data83 = data82[i27];
if(typeof data83 === "string"){
if(!longerThan(data83, 0)){
const err278 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/exclude/" + i27,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/exclude/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err278];
}
else {
vErrors.push(err278);
}
errors++;
}
}
else {
const err279 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/exclude/" + i27,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err279];
}
else {
vErrors.push(err279);
}
errors++;
}
}
}
else {
const err280 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/properties/exclude/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err280];
}
else {
vErrors.push(err280);
}
errors++;
}
}
}
else {
const err281 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err281];
}
else {
vErrors.push(err281);
}
errors++;
}
var _valid29 = _errs303 === errors;
valid91 = valid91 || _valid29;
}
if(!valid91){
const err282 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/rules",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/rules/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err282];
}
else {
vErrors.push(err282);
}
errors++;
}
else {
errors = _errs298;
if(vErrors !== null){
if(_errs298){
vErrors.length = _errs298;
}
else {
vErrors = null;
}
}
}
}
if(data72.warnings !== undefined){
let data84 = data72.warnings;
const _errs315 = errors;
let valid99 = false;
const _errs316 = errors;
if(Array.isArray(data84)){
if(data84.length > 1000){
const err283 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err283];
}
else {
vErrors.push(err283);
}
errors++;
}
if(data84.length < 0){
const err284 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/0/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err284];
}
else {
vErrors.push(err284);
}
errors++;
}
const len28 = data84.length;
for(let i28=0; i28<len28; i28++){
let data85 = data84[i28];
if(typeof data85 === "string"){
if(!longerThan(data85, 0)){
const err285 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/" + i28,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/0/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err285];
}
else {
vErrors.push(err285);
}
errors++;
}
}
else {
const err286 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/" + i28,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/0/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err286];
}
else {
vErrors.push(err286);
}
errors++;
}
}
}
else {
const err287 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err287];
}
else {
vErrors.push(err287);
}
errors++;
}
var _valid30 = _errs316 === errors;
valid99 = valid99 || _valid30;
if(!valid99){
const _errs320 = errors;
if(data84 && typeof data84 == "object" && !Array.isArray(data84)){
if(Object.keys(data84).length < 1){
const err288 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err288];
}
else {
vErrors.push(err288);
}
errors++;
}
for(const key13 in data84){
if(!((key13 === "include") || (key13 === "exclude"))){
const err289 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key13}};
if(vErrors === null){
vErrors = [err289];
}
else {
vErrors.push(err289);
}
errors++;
}
}
if(data84.include !== undefined){
let data86 = data84.include;
if(Array.isArray(data86)){
if(data86.length > 1000){
const err290 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/include/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err290];
}
else {
vErrors.push(err290);
}
errors++;
}
if(data86.length < 0){
const err291 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/include/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err291];
}
else {
vErrors.push(err291);
}
errors++;
}
const len29 = data86.length;
for(let i29=0; i29<len29; i29++){
let data87 = data86[i29];
if(typeof data87 === "string"){
if(!longerThan(data87, 0)){
const err292 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/include/" + i29,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/include/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err292];
}
else {
vErrors.push(err292);
}
errors++;
}
}
else {
const err293 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/include/" + i29,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/include/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err293];
}
else {
vErrors.push(err293);
}
errors++;
}
}
}
else {
const err294 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/include/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err294];
}
else {
vErrors.push(err294);
}
errors++;
}
}
if(data84.exclude !== undefined){
let data88 = data84.exclude;
if(Array.isArray(data88)){
if(data88.length > 1000){
const err295 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/exclude/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err295];
}
else {
vErrors.push(err295);
}
errors++;
}
if(data88.length < 0){
const err296 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/exclude/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err296];
}
else {
vErrors.push(err296);
}
errors++;
}
const len30 = data88.length;
for(let i30=0; i30<len30; i30++){
let data89 = data88[i30];
if(typeof data89 === "string"){
if(!longerThan(data89, 0)){
const err297 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/exclude/" + i30,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/exclude/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err297];
}
else {
vErrors.push(err297);
}
errors++;
}
}
else {
const err298 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/exclude/" + i30,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err298];
}
else {
vErrors.push(err298);
}
errors++;
}
}
}
else {
const err299 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/properties/exclude/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err299];
}
else {
vErrors.push(err299);
}
errors++;
}
}
}
else {
const err300 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err300];
}
else {
vErrors.push(err300);
}
errors++;
}
var _valid30 = _errs320 === errors;
valid99 = valid99 || _valid30;
}
if(!valid99){
const err301 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/warnings",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/warnings/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err301];
}
else {
vErrors.push(err301);
}
errors++;
}
else {
errors = _errs315;
if(vErrors !== null){
if(_errs315){
vErrors.length = _errs315;
}
else {
vErrors = null;
}
}
}
}
if(data72.audits !== undefined){
let data90 = data72.audits;
const _errs332 = errors;
let valid107 = false;
const _errs333 = errors;
if(Array.isArray(data90)){
if(data90.length > 1000){
const err302 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/0/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err302];
}
else {
vErrors.push(err302);
}
errors++;
}
if(data90.length < 0){
const err303 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/0/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err303];
}
else {
vErrors.push(err303);
}
errors++;
}
const len31 = data90.length;
for(let i31=0; i31<len31; i31++){
let data91 = data90[i31];
if(typeof data91 === "string"){
if(!longerThan(data91, 0)){
const err304 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/" + i31,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/0/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err304];
}
else {
vErrors.push(err304);
}
errors++;
}
}
else {
const err305 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/" + i31,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/0/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err305];
}
else {
vErrors.push(err305);
}
errors++;
}
}
}
else {
const err306 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/0/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err306];
}
else {
vErrors.push(err306);
}
errors++;
}
var _valid31 = _errs333 === errors;
valid107 = valid107 || _valid31;
if(!valid107){
const _errs337 = errors;
if(data90 && typeof data90 == "object" && !Array.isArray(data90)){
if(Object.keys(data90).length < 1){
const err307 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/minProperties",keyword:"minProperties",params:{limit: 1}};
if(vErrors === null){
vErrors = [err307];
}
else {
vErrors.push(err307);
}
errors++;
}
for(const key14 in data90){
if(!((key14 === "include") || (key14 === "exclude"))){
const err308 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key14}};
if(vErrors === null){
vErrors = [err308];
}
else {
vErrors.push(err308);
}
errors++;
}
}
if(data90.include !== undefined){
let data92 = data90.include;
if(Array.isArray(data92)){
if(data92.length > 1000){
const err309 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/include/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err309];
}
else {
vErrors.push(err309);
}
errors++;
}
if(data92.length < 0){
const err310 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/include/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err310];
}
else {
vErrors.push(err310);
}
errors++;
}
const len32 = data92.length;
for(let i32=0; i32<len32; i32++){
let data93 = data92[i32];
if(typeof data93 === "string"){
if(!longerThan(data93, 0)){
const err311 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/include/" + i32,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/include/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err311];
}
else {
vErrors.push(err311);
}
errors++;
}
}
else {
const err312 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/include/" + i32,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/include/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err312];
}
else {
vErrors.push(err312);
}
errors++;
}
}
}
else {
const err313 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/include",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/include/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err313];
}
else {
vErrors.push(err313);
}
errors++;
}
}
if(data90.exclude !== undefined){
let data94 = data90.exclude;
if(Array.isArray(data94)){
if(data94.length > 1000){
const err314 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/exclude/maxItems",keyword:"maxItems",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err314];
}
else {
vErrors.push(err314);
}
errors++;
}
if(data94.length < 0){
const err315 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/exclude/minItems",keyword:"minItems",params:{limit: 0}};
if(vErrors === null){
vErrors = [err315];
}
else {
vErrors.push(err315);
}
errors++;
}
const len33 = data94.length;
for(let i33=0; i33<len33; i33++){
let data95 = data94[i33];
if(typeof data95 === "string"){
if(!longerThan(data95, 0)){
const err316 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/exclude/" + i33,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/exclude/items/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err316];
}
else {
vErrors.push(err316);
}
errors++;
}
}
else {
const err317 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/exclude/" + i33,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/exclude/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err317];
}
else {
vErrors.push(err317);
}
errors++;
}
}
}
else {
const err318 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits/exclude",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/properties/exclude/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err318];
}
else {
vErrors.push(err318);
}
errors++;
}
}
}
else {
const err319 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf/1/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err319];
}
else {
vErrors.push(err319);
}
errors++;
}
var _valid31 = _errs337 === errors;
valid107 = valid107 || _valid31;
}
if(!valid107){
const err320 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/audits",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/audits/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err320];
}
else {
vErrors.push(err320);
}
errors++;
}
else {
errors = _errs332;
if(vErrors !== null){
if(_errs332){
vErrors.length = _errs332;
}
else {
vErrors = null;
}
}
}
}
if(data72.code !== undefined){
let data96 = data72.code;
if(!((((data96 === 403) || (data96 === 409)) || (data96 === 422)) || (data96 === 503))){
const err321 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/code",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/code/enum",keyword:"enum",params:{allowedValues: schema11.properties.tests.items.properties.expect.anyOf[2].items.properties.code.enum}};
if(vErrors === null){
vErrors = [err321];
}
else {
vErrors.push(err321);
}
errors++;
}
}
if(data72.message !== undefined){
let data97 = data72.message;
if(typeof data97 === "string"){
if(longerThan(data97, 1000)){
const err322 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/message",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/message/maxLength",keyword:"maxLength",params:{limit: 1000}};
if(vErrors === null){
vErrors = [err322];
}
else {
vErrors.push(err322);
}
errors++;
}
if(!longerThan(data97, 0)){
const err323 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/message",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/message/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err323];
}
else {
vErrors.push(err323);
}
errors++;
}
}
else {
const err324 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24+"/message",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err324];
}
else {
vErrors.push(err324);
}
errors++;
}
}
}
else {
const err325 = {instancePath:instancePath+"/tests/" + i7+"/expect/" + i24,schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err325];
}
else {
vErrors.push(err325);
}
errors++;
}
}
}
else {
const err326 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf/2/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err326];
}
else {
vErrors.push(err326);
}
errors++;
}
var _valid25 = _errs285 === errors;
valid62 = valid62 || _valid25;
}
}
if(!valid62){
const err327 = {instancePath:instancePath+"/tests/" + i7+"/expect",schemaPath:"#/properties/tests/items/properties/expect/anyOf",keyword:"anyOf",params:{}};
if(vErrors === null){
vErrors = [err327];
}
else {
vErrors.push(err327);
}
errors++;
}
else {
errors = _errs225;
if(vErrors !== null){
if(_errs225){
vErrors.length = _errs225;
}
else {
vErrors = null;
}
}
}
}
}
else {
const err328 = {instancePath:instancePath+"/tests/" + i7,schemaPath:"#/properties/tests/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err328];
}
else {
vErrors.push(err328);
}
errors++;
}
}
}
else {
const err329 = {instancePath:instancePath+"/tests",schemaPath:"#/properties/tests/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err329];
}
else {
vErrors.push(err329);
}
errors++;
}
}
}
else {
const err330 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err330];
}
else {
vErrors.push(err330);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

export const validate: CompiledSchema = compiled;
