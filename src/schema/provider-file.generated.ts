// @ts-nocheck
/** Generated from a schema by `npm run generate`. Do not edit. */
import { boundedPattern, longerThan } from '../base/syntax.ts';
import { formats } from './formats.ts';
import type { CompiledSchema } from './validate.ts';

"use strict";
export const compiled = validate10;
const schema11 = {"type":"object","additionalProperties":false,"required":["providers"],"properties":{"providers":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","execConfig"],"properties":{"name":{"type":"string","minLength":1},"execConfig":{"type":"object","additionalProperties":false,"required":["command"],"properties":{"apiVersion":{"type":"string"},"command":{"type":"string","minLength":1},"args":{"type":"array","items":{"type":"string"}},"env":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["name","value"],"properties":{"name":{"type":"string","minLength":1},"value":{"type":"string"}}}},"provideClusterInfo":{"type":"boolean"},"interactiveMode":{"type":"string"},"installHint":{"type":"string"}}},"profileSourcedCLIArgsPolicy":{"enum":["Ignore","Append"]},"profileSourcedEnvVarsPolicy":{"enum":["Ignore","AppendIfNotExists","Replace"]},"additionalCLIArgEnvVarExtensionFlag":{"enum":[0,1]}}},"minItems":1}}};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.providers === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "providers"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
for(const key0 in data){
if(!(key0 === "providers")){
const err1 = {instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.providers !== undefined){
let data0 = data.providers;
if(Array.isArray(data0)){
if(data0.length < 1){
const err2 = {instancePath:instancePath+"/providers",schemaPath:"#/properties/providers/minItems",keyword:"minItems",params:{limit: 1}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.name === undefined){
const err3 = {instancePath:instancePath+"/providers/" + i0,schemaPath:"#/properties/providers/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.execConfig === undefined){
const err4 = {instancePath:instancePath+"/providers/" + i0,schemaPath:"#/properties/providers/items/required",keyword:"required",params:{missingProperty: "execConfig"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
for(const key1 in data1){
if(!(((((key1 === "name") || (key1 === "execConfig")) || (key1 === "profileSourcedCLIArgsPolicy")) || (key1 === "profileSourcedEnvVarsPolicy")) || (key1 === "additionalCLIArgEnvVarExtensionFlag"))){
const err5 = {instancePath:instancePath+"/providers/" + i0,schemaPath:"#/properties/providers/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.name !== undefined){
let data2 = data1.name;
if(typeof data2 === "string"){
if(!longerThan(data2, 0)){
const err6 = {instancePath:instancePath+"/providers/" + i0+"/name",schemaPath:"#/properties/providers/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
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
const err7 = {instancePath:instancePath+"/providers/" + i0+"/name",schemaPath:"#/properties/providers/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data1.execConfig !== undefined){
let data3 = data1.execConfig;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
if(data3.command === undefined){
const err8 = {instancePath:instancePath+"/providers/" + i0+"/execConfig",schemaPath:"#/properties/providers/items/properties/execConfig/required",keyword:"required",params:{missingProperty: "command"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
for(const key2 in data3){
if(!(((((((key2 === "apiVersion") || (key2 === "command")) || (key2 === "args")) || (key2 === "env")) || (key2 === "provideClusterInfo")) || (key2 === "interactiveMode")) || (key2 === "installHint"))){
const err9 = {instancePath:instancePath+"/providers/" + i0+"/execConfig",schemaPath:"#/properties/providers/items/properties/execConfig/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
if(data3.apiVersion !== undefined){
if(typeof data3.apiVersion !== "string"){
const err10 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/apiVersion",schemaPath:"#/properties/providers/items/properties/execConfig/properties/apiVersion/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data3.command !== undefined){
let data5 = data3.command;
if(typeof data5 === "string"){
if(!longerThan(data5, 0)){
const err11 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/command",schemaPath:"#/properties/providers/items/properties/execConfig/properties/command/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
else {
const err12 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/command",schemaPath:"#/properties/providers/items/properties/execConfig/properties/command/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
if(data3.args !== undefined){
let data6 = data3.args;
if(Array.isArray(data6)){
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
if(typeof data6[i1] !== "string"){
const err13 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/args/" + i1,schemaPath:"#/properties/providers/items/properties/execConfig/properties/args/items/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/args",schemaPath:"#/properties/providers/items/properties/execConfig/properties/args/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
if(data3.env !== undefined){
let data8 = data3.env;
if(Array.isArray(data8)){
const len2 = data8.length;
for(let i2=0; i2<len2; i2++){
let data9 = data8[i2];
if(data9 && typeof data9 == "object" && !Array.isArray(data9)){
if(data9.name === undefined){
const err15 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2,schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/required",keyword:"required",params:{missingProperty: "name"}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
}
if(data9.value === undefined){
const err16 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2,schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/required",keyword:"required",params:{missingProperty: "value"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
for(const key3 in data9){
if(!((key3 === "name") || (key3 === "value"))){
const err17 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2,schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key3}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
}
if(data9.name !== undefined){
let data10 = data9.name;
if(typeof data10 === "string"){
if(!longerThan(data10, 0)){
const err18 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2+"/name",schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/properties/name/minLength",keyword:"minLength",params:{limit: 1}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
}
else {
const err19 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2+"/name",schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/properties/name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
}
}
if(data9.value !== undefined){
if(typeof data9.value !== "string"){
const err20 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2+"/value",schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/properties/value/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err20];
}
else {
vErrors.push(err20);
}
errors++;
}
}
}
else {
const err21 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env/" + i2,schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err21];
}
else {
vErrors.push(err21);
}
errors++;
}
}
}
else {
const err22 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/env",schemaPath:"#/properties/providers/items/properties/execConfig/properties/env/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err22];
}
else {
vErrors.push(err22);
}
errors++;
}
}
if(data3.provideClusterInfo !== undefined){
if(typeof data3.provideClusterInfo !== "boolean"){
const err23 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/provideClusterInfo",schemaPath:"#/properties/providers/items/properties/execConfig/properties/provideClusterInfo/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err23];
}
else {
vErrors.push(err23);
}
errors++;
}
}
if(data3.interactiveMode !== undefined){
if(typeof data3.interactiveMode !== "string"){
const err24 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/interactiveMode",schemaPath:"#/properties/providers/items/properties/execConfig/properties/interactiveMode/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err24];
}
else {
vErrors.push(err24);
}
errors++;
}
}
if(data3.installHint !== undefined){
if(typeof data3.installHint !== "string"){
const err25 = {instancePath:instancePath+"/providers/" + i0+"/execConfig/installHint",schemaPath:"#/properties/providers/items/properties/execConfig/properties/installHint/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err25];
}
else {
vErrors.push(err25);
}
errors++;
}
}
}
else {
const err26 = {instancePath:instancePath+"/providers/" + i0+"/execConfig",schemaPath:"#/properties/providers/items/properties/execConfig/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err26];
}
else {
vErrors.push(err26);
}
errors++;
}
}
if(data1.profileSourcedCLIArgsPolicy !== undefined){
let data15 = data1.profileSourcedCLIArgsPolicy;
if(!((data15 === "Ignore") || (data15 === "Append"))){
const err27 = {instancePath:instancePath+"/providers/" + i0+"/profileSourcedCLIArgsPolicy",schemaPath:"#/properties/providers/items/properties/profileSourcedCLIArgsPolicy/enum",keyword:"enum",params:{allowedValues: schema11.properties.providers.items.properties.profileSourcedCLIArgsPolicy.enum}};
if(vErrors === null){
vErrors = [err27];
}
else {
vErrors.push(err27);
}
errors++;
}
}
if(data1.profileSourcedEnvVarsPolicy !== undefined){
let data16 = data1.profileSourcedEnvVarsPolicy;
if(!(((data16 === "Ignore") || (data16 === "AppendIfNotExists")) || (data16 === "Replace"))){
const err28 = {instancePath:instancePath+"/providers/" + i0+"/profileSourcedEnvVarsPolicy",schemaPath:"#/properties/providers/items/properties/profileSourcedEnvVarsPolicy/enum",keyword:"enum",params:{allowedValues: schema11.properties.providers.items.properties.profileSourcedEnvVarsPolicy.enum}};
if(vErrors === null){
vErrors = [err28];
}
else {
vErrors.push(err28);
}
errors++;
}
}
if(data1.additionalCLIArgEnvVarExtensionFlag !== undefined){
let data17 = data1.additionalCLIArgEnvVarExtensionFlag;
if(!((data17 === 0) || (data17 === 1))){
const err29 = {instancePath:instancePath+"/providers/" + i0+"/additionalCLIArgEnvVarExtensionFlag",schemaPath:"#/properties/providers/items/properties/additionalCLIArgEnvVarExtensionFlag/enum",keyword:"enum",params:{allowedValues: schema11.properties.providers.items.properties.additionalCLIArgEnvVarExtensionFlag.enum}};
if(vErrors === null){
vErrors = [err29];
}
else {
vErrors.push(err29);
}
errors++;
}
}
}
else {
const err30 = {instancePath:instancePath+"/providers/" + i0,schemaPath:"#/properties/providers/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err30];
}
else {
vErrors.push(err30);
}
errors++;
}
}
}
else {
const err31 = {instancePath:instancePath+"/providers",schemaPath:"#/properties/providers/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err31];
}
else {
vErrors.push(err31);
}
errors++;
}
}
}
else {
const err32 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err32];
}
else {
vErrors.push(err32);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

export const validate: CompiledSchema = compiled;
